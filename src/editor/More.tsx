import { css } from '@emotion/css';
import React, { type PropsWithChildren, useState } from 'react';

import { type GrafanaTheme2 } from '@grafana/data';
import { t } from '@grafana/i18n';
import { Collapse, Stack, Text, useStyles2 } from '@grafana/ui';

import { reasons } from '../../schema/attention';
import { getDataSet } from '../../schema/datasets';
import { isComparable } from '../fit';
import { hasOwnOrder, type InsightsQuery } from '../query';
import { selectors } from '../selectors';
import { labelOf, labelOfName } from '../texts';
import { partLabels } from './inputs';
import { compareLabels } from './selects';
import { orderLabels } from './SortBy';

interface MoreProps {
  query: InsightsQuery;
  hasTimeField: boolean;
}

/**
 * Controls that few queries need. While the section is closed, its heading lists the values that are set in it, or
 * otherwise its controls. It looks like the query options of Grafana's Prometheus data source; QueryOptionGroup of
 * @grafana/plugin-ui would add a query builder to the bundle.
 */
export function More({ query, hasTimeField, children }: PropsWithChildren<MoreProps>) {
  const [isOpen, setIsOpen] = useState(false);
  const styles = useStyles2(getStyles);
  const heading = (
    <Stack gap={2} wrap="wrap" data-testid={selectors.query.more}>
      <Text variant="bodySmall" weight="medium">
        {t('editor.more.title', 'More')}
      </Text>
      {!isOpen && (
        <Text variant="bodySmall" color="secondary">
          {summary(query, hasTimeField).join(' · ')}
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

/** The controls that have a value, or the labels of all controls if none has. */
function summary(query: InsightsQuery, hasTimeField: boolean): string[] {
  const { queryType, format, compare, days, search, sort, limit, timeField, attention } = query;
  const labels = partLabels(format);
  const named = (name: string) => labelOfName(getDataSet(queryType), name);
  const parts: Array<{ label: string; value?: string | number; isOffered?: boolean }> = [
    { label: labels.compare, value: compare && (compareLabels()[compare] ?? compare), isOffered: isComparable(query) },
    { label: labels.days, value: days },
    { label: labels.search, value: search },
    {
      label: labels.sort,
      isOffered: !hasOwnOrder(format),
      value: sort && `${named(sort.field)} (${orderLabels()[sort.order] ?? sort.order})`,
    },
    { label: labels.limit, value: limit },
    { label: labels.timeField, value: timeField && named(timeField), isOffered: hasTimeField },
    ...reasons.map((reason) => ({ label: labelOf(reason), value: attention?.[reason.name], isOffered: false })),
    { label: labels.attention, isOffered: format === 'attention' },
  ];
  const chosen = parts.filter(({ value }) => value !== undefined);
  return chosen.length > 0
    ? chosen.map(({ label, value }) => `${label}: ${value}`)
    : parts.filter(({ isOffered = true }) => isOffered).map(({ label }) => label);
}
