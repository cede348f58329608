import { css } from '@emotion/css';
import type { DataSourcePluginMeta, GrafanaTheme2 } from '@grafana/data';
import { Badge, Stack, Text, useStyles2 } from '@grafana/ui';
import React from 'react';

/** Shows which plugin this is, and that this is not Grafana. */
export function Header({ meta }: { meta: DataSourcePluginMeta }) {
  const styles = useStyles2(getStyles);
  const { name, info } = meta;
  return (
    <header className={styles.header}>
      <img className={styles.logo} src={`${meta.baseUrl}/${info.logos.small}`} alt="" />
      <Stack direction="column" gap={0} grow={1}>
        <Text element="h1" variant="h4">
          {name} {info.version}
        </Text>
        <Text variant="bodySmall" color="secondary">
          {info.description}
        </Text>
      </Stack>
      <Badge
        color="orange"
        icon="info-circle"
        text="A small workbench for the plugin – not Grafana"
        data-testid="workbench-notice"
      />
    </header>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  header: css({
    display: 'flex',
    alignItems: 'center',
    gap: theme.spacing(2),
    paddingBottom: theme.spacing(1),
  }),
  logo: css({ width: 40, height: 40 }),
});
