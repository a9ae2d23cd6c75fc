{{- define "sluice.name" -}}
{{- .Release.Name | trunc 52 | trimSuffix "-" -}}
{{- end -}}

{{- define "sluice.labels" -}}
app.kubernetes.io/name: sluice
app.kubernetes.io/instance: {{ .Release.Name | quote }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service | quote }}
{{- end -}}

{{- define "sluice.selector" -}}
app.kubernetes.io/name: sluice
app.kubernetes.io/instance: {{ .Release.Name | quote }}
{{- end -}}

{{- define "sluice.secretName" -}}
{{- if .Values.secrets -}}
{{ include "sluice.name" . }}-secrets
{{- else -}}
{{ required "Set existingSecret: the Secret with DATABASE_URL and SLUICE_SECRET; or set secrets." .Values.existingSecret }}
{{- end -}}
{{- end -}}

{{/* A value as text. YAML numbers arrive as floating point, which prints 10485760 as 1.048576e+07; lists become comma lists. */}}
{{- define "sluice.text" -}}
{{- if kindIs "float64" . -}}
{{- regexReplaceAll "\\.?0+$" (printf "%.10f" .) "" -}}
{{- else if kindIs "slice" . -}}
{{- join "," . -}}
{{- else -}}
{{- toString . -}}
{{- end -}}
{{- end -}}

{{/* How many nodes may run at once, so that each takes its share of the database's connections. */}}
{{- define "sluice.nodesMax" -}}
{{- if .Values.autoscaling.enabled -}}{{ int64 .Values.autoscaling.maxReplicas }}{{- else -}}{{ int64 .Values.replicas }}{{- end -}}
{{- end -}}
