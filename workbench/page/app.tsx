import { css } from '@emotion/css';
import React, { useState } from 'react';

import {
  CoreApp,
  DataSourcePluginContextProvider,
  type DataSourcePluginMeta,
  type GrafanaTheme2,
  ThemeContext,
} from '@grafana/data';
import { Badge, GlobalStyles, PortalContainer, Stack, Tab, TabContent, TabsBar, Text, useStyles2 } from '@grafana/ui';

import { Configure } from './configure/configure';
import { defaultRange, Explore, type ExploreState } from './explore/explore';
import { type Link, tabs } from './link';
import type { Plugin } from './plugin';
import { QueryTab } from './query-tab';
import { type Current, openDataSource } from './services/install';

interface Props {
  plugin: Plugin;
  meta: DataSourcePluginMeta;
  theme: GrafanaTheme2;
  first: Current;
  link: Link;
}

/** The page: the plugin's editors in a tab each. */
export function App({ theme, ...props }: Props) {
  return (
    <ThemeContext.Provider value={theme}>
      <GlobalStyles />
      <Workbench {...props} />
      <PortalContainer />
    </ThemeContext.Provider>
  );
}

function Workbench({ plugin, meta, first, link }: Omit<Props, 'theme'>) {
  const styles = useStyles2(getStyles);
  const [active, setActive] = useState(link.tab);
  const [current, setCurrent] = useState(first);
  const linked = (tab: Link['tab']) => (tab === link.tab ? link.query : undefined);
  // Kept here, so that switching tabs doesn't discard it.
  const [explored, setExplored] = useState<ExploreState>(() => ({
    query: {
      refId: 'A',
      datasource: first.api.getRef(),
      ...(linked('Explore') ?? first.api.getDefaultQuery?.(CoreApp.Explore)),
    },
    range: defaultRange(),
  }));

  const reopen = async () => {
    const next = await openDataSource(plugin, meta);
    setCurrent(next);
    return next;
  };

  return (
    <DataSourcePluginContextProvider instanceSettings={current.settings}>
      <main className={styles.page}>
        <Stack alignItems="center" justifyContent="space-between">
          <Text element="h1" variant="h4">
            {meta.name} {meta.info.version}
          </Text>
          <Badge color="orange" text="A small workbench for the plugin – not Grafana" data-testid="workbench-notice" />
        </Stack>
        <TabsBar>
          {tabs.map((tab) => (
            <Tab
              key={tab}
              label={tab}
              active={tab === active}
              onChangeTab={() => setActive(tab)}
              data-testid={`workbench-tab-${tab.toLowerCase()}`}
            />
          ))}
        </TabsBar>
        <TabContent className={styles.content}>
          {active === 'Configure' && <Configure plugin={plugin} current={current} reopen={reopen} />}
          {active === 'Explore' && (
            <Explore plugin={plugin} api={current.api} state={explored} onChange={setExplored} />
          )}
          {(active === 'Variable' || active === 'Annotation') && (
            <QueryTab key={active} api={current.api} tab={active} saved={linked(active)} />
          )}
        </TabContent>
      </main>
    </DataSourcePluginContextProvider>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  page: css({ maxWidth: 1440, margin: '0 auto', padding: theme.spacing(2, 3) }),
  content: css({ paddingTop: theme.spacing(2), background: 'transparent' }),
});
