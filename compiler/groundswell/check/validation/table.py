"""What validates the values of each definition, and holding an object against all of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundswell.check.validation import (
    autoscaling,
    classes,
    containers,
    definitions,
    devices,
    hosts,
    limits,
    namespaces,
    pods,
    policies,
    resources,
    selectors,
    services,
    webhooks,
    workloads,
)
from groundswell.check.validation.containers import each_once
from groundswell.check.validation.demands import broken, definition_name, demands
from groundswell.check.validation.metadata import label_faults, metadata_faults
from groundswell.check.validation.resources import quantity_fault

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from groundswell.check.objects import KubeObject
    from groundswell.check.validation.fault import Context, Fault, Validator
    from groundswell.check.validation.shapes import Shapes
    from groundswell.source.located import Json

QUANTITY = "io.k8s.apimachinery.pkg.api.resource.Quantity"


def _node_labels(value: Mapping[str, Json], _: Context) -> Iterator[Fault]:
    return label_faults(value.get("nodeSelector"), "nodeSelector")


_SHORT: dict[str, tuple[Validator, ...]] = {
    "meta.v1.LabelSelector": (selectors.label_selector,),
    "core.v1.NodeSelector": (selectors.required_node_selector,),
    "core.v1.PreferredSchedulingTerm": (selectors.preferred_node,),
    "core.v1.PodTemplateSpec": (selectors.template_metadata,),
    "core.v1.PodSpec": (pods.pod_spec, hosts.on_host, devices.pod_claims, _node_labels),
    "core.v1.Container": (containers.container,),
    "core.v1.Probe": (containers.one_handler,),
    "core.v1.LifecycleHandler": (containers.one_handler,),
    "core.v1.SecurityContext": (containers.privileges,),
    "core.v1.SeccompProfile": (containers.local_profile,),
    "core.v1.AppArmorProfile": (containers.local_profile,),
    "core.v1.ResourceFieldSelector": (containers.resource_field,),
    "core.v1.Volume": (pods.volume,),
    "core.v1.VolumeProjection": (pods.projection,),
    "core.v1.DownwardAPIVolumeFile": (pods.downward_file,),
    "core.v1.ProjectedVolumeSource": (pods.projected,),
    "core.v1.PodDNSConfig": (pods.name_servers,),
    "core.v1.Toleration": (pods.toleration,),
    "core.v1.TopologySpreadConstraint": (pods.spread,),
    "core.v1.PodResourceClaim": (devices.pod_claim,),
    "resource.v1.DeviceRequest": (devices.request,),
    "resource.v1.ExactDeviceRequest": (devices.exact_request,),
    "core.v1.PersistentVolumeSpec": (resources.persistent_volume,),
    "core.v1.PersistentVolumeClaim": (resources.claim,),
    "core.v1.PersistentVolumeClaimTemplate": (resources.claim_template,),
    "core.v1.PersistentVolumeClaimSpec": (resources.claim_resources,),
    "core.v1.ServiceSpec": (services.service,),
    "core.v1.Secret": (services.secret,),
    "core.v1.ConfigMap": (services.config_map,),
    "core.v1.ReplicationControllerSpec": (workloads.replication_controller, workloads.host_names),
    "core.v1.LimitRangeSpec": (each_once("limits", "type"),),
    "core.v1.LimitRangeItem": (limits.limits,),
    "core.v1.ResourceQuotaSpec": (limits.resource_quota,),
    "core.v1.ScopedResourceSelectorRequirement": (limits.scope_requirement,),
    "core.v1.Namespace": (namespaces.namespace,),
    "core.v1.Pod": (workloads.pod,),
    "core.v1.PodTemplate": (workloads.host_names,),
    "apps.v1.DeploymentSpec": (workloads.deployment, workloads.host_names),
    "apps.v1.DaemonSetSpec": (workloads.daemon_set, workloads.host_names),
    "apps.v1.StatefulSetSpec": (workloads.stateful_set,),
    "apps.v1.ReplicaSetSpec": (workloads.replica_set, workloads.host_names),
    "batch.v1.Job": (workloads.own_selector,),
    "batch.v1.JobSpec": (workloads.job, workloads.host_names),
    "batch.v1.PodFailurePolicyRule": (workloads.failure_rule,),
    "batch.v1.PodFailurePolicyOnExitCodesRequirement": (workloads.exit_codes,),
    "batch.v1.CronJobSpec": (workloads.cron_job,),
    "policy.v1.PodDisruptionBudgetSpec": (policies.disruption_budget,),
    "autoscaling.v1.HorizontalPodAutoscalerSpec": (autoscaling.autoscaler,),
    "autoscaling.v2.HorizontalPodAutoscalerSpec": (autoscaling.autoscaler,),
    "autoscaling.v2.MetricSpec": (autoscaling.metric,),
    "autoscaling.v2.ContainerResourceMetricSource": (autoscaling.container_metric,),
    "networking.v1.IngressSpec": (policies.ingress,),
    "networking.v1.HTTPIngressPath": (policies.ingress_path,),
    "networking.v1.IngressBackend": (policies.ingress_backend,),
    "networking.v1.NetworkPolicyPeer": (policies.network_peer,),
    "networking.v1.IPBlock": (policies.network_block,),
    "networking.v1.NetworkPolicyPort": (policies.network_port,),
    "rbac.v1.Role": (policies.role,),
    "rbac.v1.PolicyRule": (policies.policy_rule,),
    "rbac.v1.RoleBinding": (policies.role_binding,),
    "rbac.v1.ClusterRoleBinding": (policies.cluster_role_binding,),
    "rbac.v1.Subject": (policies.subject,),
    "networking.v1.IngressClass": (classes.ingress_class,),
    "networking.v1.IngressClassParametersReference": (classes.parameters,),
    "core.v1.TopologySelectorTerm": (classes.topology,),
    "scheduling.v1.PriorityClass": (classes.priority_class,),
    "node.v1.Overhead": (resources.overhead,),
    "admissionregistration.v1.ValidatingWebhookConfiguration": (each_once("webhooks", "name"),),
    "admissionregistration.v1.MutatingWebhookConfiguration": (each_once("webhooks", "name"),),
    "admissionregistration.v1.ValidatingWebhook": (webhooks.webhook,),
    "admissionregistration.v1.MutatingWebhook": (webhooks.webhook,),
    "admissionregistration.v1.ValidatingAdmissionPolicySpec": (policies.admission_policy,),
    "admissionregistration.v1.RuleWithOperations": (webhooks.webhook_rule,),
    "admissionregistration.v1.NamedRuleWithOperations": (webhooks.webhook_rule,),
    "admissionregistration.v1.WebhookClientConfig": (webhooks.webhook_client,),
    "apiregistration.v1.APIService": (policies.api_service,),
    "apiextensions.v1.CustomResourceDefinition": (definitions.definition,),
    "apiextensions.v1.CustomResourceDefinitionSpec": (each_once("versions", "name"),),
    "apiextensions.v1.CustomResourceDefinitionNames": (definitions.names,),
}
VALIDATORS = {definition_name(short): validators for short, validators in _SHORT.items()}


def validated() -> frozenset[str]:
    """The definitions whose values something validates."""
    return frozenset({QUANTITY, *VALIDATORS, *demands()})


def faults(item: KubeObject, definition: str | None, shapes: Shapes, context: Context) -> Iterator[Fault]:
    """What the API server's own code refuses in an object; one of a custom kind has no `definition`."""
    yield from metadata_faults(item, context)
    for name, value, path in shapes.values(item.data, definition) if definition else ():
        if name == QUANTITY:
            yield from (fault.below(*path) for fault in quantity_fault(value))
        elif isinstance(value, dict):
            for fault in broken(value, context.definitions[name], demands().get(name, ()), context.minor):
                yield fault.below(*path)
            for validate in VALIDATORS.get(name, ()):
                yield from (fault.below(*path) for fault in validate(value, context))
