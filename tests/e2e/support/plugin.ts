export const pluginId = 'insights-reporting-datasource';
