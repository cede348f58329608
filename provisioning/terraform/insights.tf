# The data source, a folder, an alert rule, and a contact point for each team, with the provider grafana/grafana, which reads the environment variables
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

variable "teams" {
  type        = map(object({ automations = list(string), address = string }))
  description = "Teams by name: patterns of their automations, in which * matches any text, and where their alerts go"
  default = {
    Finance = { automations = ["boletos-*", "nota-fiscal-*"], address = "finance@company.example.com" }
    HR      = { automations = ["folha-de-ponto"], address = "hr@company.example.com" }
  }
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
    calendar = {
      timezone = "America/Sao_Paulo"
      holidays = ["01-01 Confraternização", "12-25 Natal", "2026-04-03 Sexta-feira Santa"]
    }
    deadlines = [
      { automation = "folha-de-ponto", by = "07:00", days = ["workday"] },
      { automation = "nota-fiscal-*", within = "2h" },
    ]
    # The first line that matches says the team, so "*" is last.
    teams = concat(
      flatten([for team, of in var.teams : [for pattern in of.automations : { automation = pattern, team = team }]]),
      [{ automation = "*", team = "Operations" }],
    )
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
        measure = "failuresInARow", groupBy = ["activityLabel", "team"]
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

resource "grafana_contact_point" "operations" {
  name = "Robots"
  email { addresses = ["robots@company.example.com"] }
}

resource "grafana_contact_point" "team" {
  for_each = var.teams
  name     = "Robots of ${each.key}"
  email { addresses = [each.value.address] }
}

# Grafana has one tree of policies: this resource replaces it, so that policies of other alerts belong here, too.
resource "grafana_notification_policy" "teams" {
  contact_point = grafana_contact_point.operations.name
  group_by      = ["team", "automation"]
  dynamic "policy" {
    for_each = var.teams
    content {
      contact_point = grafana_contact_point.team[policy.key].name
      matcher {
        label = "team"
        match = "="
        value = policy.key
      }
    }
  }
}
