{{- define "monitor.labels" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end -}}
{{- define "monitor.exporter.namespace" -}}
{{ .Values.exporter.namespace | default .Release.Namespace }}
{{- end -}}
