# Many workspaces: a data source and the same rule for each, and one contact point for all. Apply it in this folder, with the
# provider of ../insights.tf. A new line in "workspaces" is a new workspace.

terraform {
  required_providers {
    grafana = { source = "grafana/grafana" }
  }
}

variable "workspaces" {
  description = "The workspaces by the UIDs of their data sources."
  type        = map(object({ name = string, url = string, login = string }))
  default = {
    insights-north = { name = "Insights north", url = "https://north.example.com", login = "robot@north.example.com" }
    insights-south = { name = "Insights south", url = "https://south.example.com", login = "robot@south.example.com" }
  }
}

variable "keys" {
  description = "The key of each workspace, by the same UIDs."
  type        = map(string)
  sensitive   = true
}

resource "grafana_data_source" "workspace" {
  for_each                 = var.workspaces
  type                     = "insights-reporting-datasource"
  name                     = each.value.name
  uid                      = each.key
  url                      = each.value.url
  json_data_encoded        = jsonencode({ login = each.value.login })
  secure_json_data_encoded = jsonencode({ key = var.keys[each.key] })
}

resource "grafana_folder" "insights" {
  title = "Insights"
}

resource "grafana_contact_point" "robots" {
  name = "Robots"
  email {
    addresses = ["robots@company.example.com"]
  }
}

resource "grafana_rule_group" "attention" {
  for_each         = var.workspaces
  name             = "Insights attention ${each.key}"
  folder_uid       = grafana_folder.insights.uid
  interval_seconds = 60
  rule {
    name           = "An automation needs attention (${each.value.name})"
    condition      = "B"
    no_data_state  = "NoData"
    exec_err_state = "KeepLast"
    for            = "5m"
    annotations    = { summary = "{{ index .Labels \"activityLabel\" }} of {{ index .Labels \"organizationLabel\" }}: {{ index .Labels \"reason\" }}" }
    notification_settings {
      contact_point = grafana_contact_point.robots.name
      group_by      = ["organizationLabel", "alertname"]
    }
    data {
      ref_id         = "A"
      query_type     = "tasks" # as in the model, where Grafana takes it from: a plan would show a difference
      datasource_uid = grafana_data_source.workspace[each.key].uid
      relative_time_range {
        from = 3600
        to   = 0
      }
      model = jsonencode({
        refId = "A", queryType = "tasks", format = "attention", groupBy = ["activityLabel", "organizationLabel"]
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
        conditions = [{ evaluator = { type = "gt", params = [1] } }]
      })
    }
  }
}
