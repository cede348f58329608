import { kebabCase } from 'lodash';

/** IDs by which tests find controls, derived from names, like the IDs of settings. */
function ids<Name extends string>(section: string, ...names: Name[]) {
  const entries = names.map((name) => [name, `insights-${section}-${kebabCase(name)}`]);
  return Object.fromEntries(entries) as Record<Name, string>;
}

function idsOf<Name extends string>(section: string, ...names: Name[]) {
  const single = ids(section, ...names);
  const entries = names.map((name) => [name, (which: string | number) => `${single[name]}-${which}`]);
  return Object.fromEntries(entries) as Record<Name, (which: string | number) => string>;
}

export const selectors = {
  config: {
    ...ids('config', 'url', 'login', 'key', 'advanced', 'suggestions', 'organization', 'runnersPath'),
    ...ids('config', 'timeout', 'maxConcurrentRequests', 'cacheTTL', 'maxRows', 'pageSize', 'incrementalQuerying'),
    ...ids('config', 'fullReadInterval', 'currency', 'headerAdd', 'secureSocksProxy', 'requestsPerSecond', 'taskUrl'),
    ...ids('config', 'calendarZone', 'holidays'),
    ...idsOf('config', 'line', 'lines', 'lineAdd', 'workday'),
    ...ids('config', 'tlsSkipVerify', 'tlsAuthWithCACert', 'tlsCACert', 'tlsAuth', 'serverName'),
    ...ids('config', 'tlsClientCert', 'tlsClientKey'),
    ...idsOf('config', 'suggestion', 'headerName', 'headerValue', 'headerRemove'),
  },
  query: {
    ...ids('query', 'editor', 'dataSet', 'format', 'days', 'search', 'sort', 'order', 'columns', 'limit', 'measure'),
    ...ids('query', 'measures', 'total', 'measureHelp', 'stepHelp', 'formatHelp', 'conditionHelp', 'groupBy', 'state'),
    ...ids('query', 'timeField', 'field', 'compare', 'per', 'timezone', 'drawnBy', 'more', 'filterAdd', 'reset'),
    ...idsOf('query', 'filterField', 'filterOperator', 'filterValue', 'filterRemove', 'preset', 'example'),
    ...ids('query', 'presets', 'sensitivity', 'reasons', 'ignore', 'all'),
  },
};
