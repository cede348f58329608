// Grafana's packages read this when they load, so it is imported before any of them.
Object.assign(window, {
  grafanaBootData: {
    settings: { buildInfo: { version: '13.1.0', commit: 'workbench', env: 'production' } },
    user: { locale: 'en-US', timezone: 'browser', orgRole: 'Admin' },
    navTree: [],
  },
});

export {};
