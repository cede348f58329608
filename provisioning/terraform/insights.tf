# The data source, a folder, and an alert rule, with the provider grafana/grafana, which reads the environment variables
# GRAFANA_URL and GRAFANA_AUTH. The key becomes part of Terraform's state. Other rules: the files in provisioning/alerting
# have the same properties, and "model" is the query there.

terraform {
  required_providers {
    grafana = { source = "grafana/grafana" }
  }
}

variable "insights_key" {
  type      = string
  sensitive = true
}

resource "grafana_data_source" "insights" {
  type = "insights-reporting-datasource"
  name = "Insights"
  uid  = "insights"
  url  = "https://company.example.com"
  json_data_encoded = jsonencode({
    login = "robot@company.example.com"
    # Terraform turns $${ into ${.
    taskUrl = "https://orchestrator.example.com/task/$${id}"
  })
  secure_json_data_encoded = jsonencode({ key = var.insights_key })
}

resource "grafana_folder" "insights" {
  title = "Insights"
}

resource "grafana_rule_group" "failures" {
  name             = "Insights failures"
  folder_uid       = grafana_folder.insights.uid
  interval_seconds = 60
  rule {
    name           = "An automation has failed three times in a row"
    condition      = "B"
    no_data_state  = "OK"
    exec_err_state = "KeepLast"
    labels         = { automation = "{{ index .Labels \"activityLabel\" }}" }
    data {
      ref_id         = "A"
      query_type     = "tasks" # as in the model, where Grafana takes it from: a plan would show a difference
      datasource_uid = grafana_data_source.insights.uid
      relative_time_range {
        from = 604800
        to   = 0
      }
      model = jsonencode({
        refId   = "A", queryType = "tasks", days = 7, format = "numeric"
        measure = "failuresInARow", groupBy = ["activityLabel"]
      })
    }
    data {
      ref_id         = "B"
      datasource_uid = "__expr__"
      relative_time_range {
        from = 0
        to   = 0
      }
      model = jsonencode({
        refId      = "B", type = "threshold", expression = "A"
        conditions = [{ evaluator = { type = "gt", params = [2] } }]
      })
    }
  }
}
