{{- /*
Renders a Namespace unless it is somebody else's. Takes a list: the root context and the name of the template that holds the
Namespace. It is rendered when it is absent, when this very release made it, and when the value
`groundswell.dev/take-ownership` is true. One that belongs to somebody else, or to nobody, stays as it is when its pod-security
labels suffice; if they do not, rendering fails with the command that helps. Offline nothing is found, so it is rendered.
*/ -}}
{{- define "groundswell.namespace" -}}
{{- $root := first . -}}
{{- $text := include (last .) $root -}}
{{- $wanted := fromYaml $text -}}
{{- $name := $wanted.metadata.name -}}
{{- $live := lookup "v1" "Namespace" "" $name | default dict -}}
{{- $owner := dig "metadata" "annotations" dict $live | default dict -}}
{{- $ours := and
  (eq (get $owner "meta.helm.sh/release-name") $root.Release.Name)
  (eq (get $owner "meta.helm.sh/release-namespace") $root.Release.Namespace)
-}}
{{- if or (not $live) $ours (get $root.Values "groundswell.dev/take-ownership") -}}
{{- $text -}}
{{- else -}}
{{- $labels := dig "metadata" "labels" dict $live | default dict -}}
{{- $missing := list -}}
{{- range $key, $value := dig "metadata" "labels" dict $wanted -}}
{{- if and (hasPrefix "pod-security.kubernetes.io/" $key) (ne (get $labels $key) $value) -}}
{{- $missing = append $missing (printf "%s=%s" $key $value) -}}
{{- end -}}
{{- end -}}
{{- if $missing -}}
{{- printf "\nNamespace %s exists, belongs to %s, and lacks labels that its pods need.\nLabel it:  kubectl label --overwrite namespace %s %s\nor give it to this release:  install.sh --take-ownership"
  $name
  (get $owner "meta.helm.sh/release-name" | default "no Helm release")
  $name
  (join " " $missing)
| fail -}}
{{- end -}}
{{- end -}}
{{- end -}}
