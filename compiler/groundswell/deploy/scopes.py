"""Which built-in kinds live in a namespace and which in the cluster, as of Kubernetes 1.30 to 1.36."""

from __future__ import annotations

from enum import Enum

_NAMESPACED = {
    "": "Binding ConfigMap Endpoints Event LimitRange PersistentVolumeClaim Pod PodTemplate ReplicationController"
    " ResourceQuota Secret Service ServiceAccount",
    "apps": "ControllerRevision DaemonSet Deployment ReplicaSet StatefulSet",
    "authorization.k8s.io": "LocalSubjectAccessReview",
    "autoscaling": "HorizontalPodAutoscaler",
    "batch": "CronJob Job",
    "certificates.k8s.io": "PodCertificateRequest",
    "coordination.k8s.io": "Lease LeaseCandidate",
    "discovery.k8s.io": "EndpointSlice",
    "events.k8s.io": "Event",
    "networking.k8s.io": "Ingress NetworkPolicy",
    "policy": "PodDisruptionBudget",
    "rbac.authorization.k8s.io": "Role RoleBinding",
    "resource.k8s.io": "ResourceClaim ResourceClaimTemplate",
    "storage.k8s.io": "CSIStorageCapacity",
}
_CLUSTER = {
    "": "ComponentStatus Namespace Node PersistentVolume",
    "admissionregistration.k8s.io": "MutatingAdmissionPolicy MutatingAdmissionPolicyBinding"
    " MutatingWebhookConfiguration"
    " ValidatingAdmissionPolicy ValidatingAdmissionPolicyBinding ValidatingWebhookConfiguration",
    "apiextensions.k8s.io": "CustomResourceDefinition",
    "apiregistration.k8s.io": "APIService",
    "authentication.k8s.io": "SelfSubjectReview TokenReview",
    "authorization.k8s.io": "SelfSubjectAccessReview SelfSubjectRulesReview SubjectAccessReview",
    "certificates.k8s.io": "CertificateSigningRequest ClusterTrustBundle",
    "flowcontrol.apiserver.k8s.io": "FlowSchema PriorityLevelConfiguration",
    "internal.apiserver.k8s.io": "StorageVersion",
    "networking.k8s.io": "IPAddress IngressClass ServiceCIDR",
    "node.k8s.io": "RuntimeClass",
    "rbac.authorization.k8s.io": "ClusterRole ClusterRoleBinding",
    "resource.k8s.io": "DeviceClass DeviceTaintRule ResourceSlice",
    "scheduling.k8s.io": "PriorityClass",
    "storage.k8s.io": "CSIDriver CSINode StorageClass VolumeAttachment VolumeAttributesClass",
    "storagemigration.k8s.io": "StorageVersionMigration",
}


class Scope(Enum):
    """Where an object of a kind lives; unknown for kinds that are not built in."""

    NAMESPACED = "namespaced"
    CLUSTER = "cluster"
    UNKNOWN = "unknown"


def scope(group: str, kind: str) -> Scope:
    """The scope of a kind by its API group ("" for the core group)."""
    if kind in _NAMESPACED.get(group, "").split():
        return Scope.NAMESPACED
    return Scope.CLUSTER if kind in _CLUSTER.get(group, "").split() else Scope.UNKNOWN
