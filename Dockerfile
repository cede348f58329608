# Builds both sides of the plugin, a Grafana that contains it, and the simulator. Used by docker-compose.yml.
ARG GRAFANA_IMAGE=grafana
ARG GRAFANA_VERSION=12.4.0

FROM node:22-bookworm-slim AS frontend
WORKDIR /plugin
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY . .
RUN npm run build:frontend

FROM golang:1.26-bookworm AS backend
WORKDIR /plugin
COPY go.mod go.sum ./
RUN go mod download
COPY . .
RUN go tool mage build:backend

FROM frontend AS simulator
EXPOSE 8080
USER node
ENTRYPOINT ["npx", "tsx", "simulator/cli.ts", "--host", "0.0.0.0", "--port", "8080"]

FROM grafana/${GRAFANA_IMAGE}:${GRAFANA_VERSION} AS grafana
ARG PLUGIN=/var/lib/grafana/plugins/insights-reporting-datasource
COPY --from=frontend /plugin/dist ${PLUGIN}
COPY --from=backend --chmod=0755 /plugin/dist/ ${PLUGIN}/
COPY provisioning /etc/grafana/provisioning
