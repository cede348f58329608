import { css } from '@emotion/css';
import React, { type PropsWithChildren, useState } from 'react';

import { type GrafanaTheme2 } from '@grafana/data';
import { t } from '@grafana/i18n';
import { Collapse, Stack, Text, useStyles2 } from '@grafana/ui';

import { getDataSet } from '../../schema/datasets';
import { isShown } from '../query/fit';
import { type Part, partsIn } from '../query/parts';
import { type InsightsQuery, isEmpty } from '../query/query';
import { selectors } from '../selectors';
import { labelOfName } from '../query/texts';
import { attentionTexts } from './attention';
import { compareLabels, orderLabels, partLabels } from './labels';

/**
 * Controls that few queries need. While the section is closed, its heading lists the values that are set in it, or
 * otherwise its controls. It looks like the query options of Grafana's Prometheus data source; QueryOptionGroup of
 * @grafana/plugin-ui would add a query builder to the bundle.
 */
export function More({ query, children }: PropsWithChildren<{ query: InsightsQuery }>) {
  const [isOpen, setIsOpen] = useState(false);
  const styles = useStyles2(getStyles);
  const heading = (
    <Stack gap={2} wrap="wrap" data-testid={selectors.query.more}>
      <Text variant="bodySmall" weight="medium">
        {t('editor.more.title', 'More')}
      </Text>
      {!isOpen && (
        <Text variant="bodySmall" color="secondary">
          {summary(query).join(' · ')}
        </Text>
      )}
    </Stack>
  );
  return (
    <Collapse className={styles.collapse} isOpen={isOpen} label={heading} onToggle={setIsOpen}>
      <div className={styles.controls}>{children}</div>
    </Collapse>
  );
}

function getStyles(theme: GrafanaTheme2) {
  return {
    collapse: css({
      backgroundColor: 'unset',
      border: 'unset',
      marginBottom: 0,
      flexBasis: '100%',
      '> div': { padding: 0, overflow: 'visible' },
    }),
    controls: css({ display: 'flex', flexWrap: 'wrap', gap: theme.spacing(2), '> *': { maxWidth: theme.spacing(40) } }),
  };
}

/** The parts of a query that have their controls in this section, in this order. */
export const partsInMore = partsIn('more');

function summary(query: InsightsQuery): string[] {
  const { queryType, format, compare, sort, timeField } = query;
  const labels = partLabels(format);
  const named = (name: string) => labelOfName(getDataSet(queryType), name);
  const texts: Partial<Record<Part, string>> = {
    compare: compare && (compareLabels()[compare] ?? compare),
    sort: sort && `${named(sort.field)} (${orderLabels()[sort.order] ?? sort.order})`,
    timeField: timeField && named(timeField),
  };
  const parts = partsInMore.filter((part) => part !== 'attention' && !isEmpty(query[part]));
  const chosen = parts.map((part) => `${labels[part]}: ${texts[part] ?? query[part]}`);
  const all = [...chosen, ...attentionTexts(query.attention)];
  return all.length > 0 ? all : partsInMore.filter((part) => isShown(query, part)).map((part) => labels[part]);
}
