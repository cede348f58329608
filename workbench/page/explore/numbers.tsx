import { css } from '@emotion/css';
import { FieldType, getDisplayProcessor, type DataFrame, type GrafanaTheme2 } from '@grafana/data';
import { BigValue, BigValueColorMode, BigValueGraphMode, useStyles2, useTheme2 } from '@grafana/ui';
import React from 'react';

// More would be a wall of tiles; the table below has them all.
const most = 12;

/** The rows of a numeric frame as the stat panel shows them: one tile for each, named after its labels. */
export function Numbers({ frame }: { frame: DataFrame }) {
  const theme = useTheme2();
  const styles = useStyles2(getStyles);
  const number = frame.fields.find(({ type }) => type === FieldType.number);
  if (!number) {
    return null;
  }
  const labels = frame.fields.filter(({ type }) => type === FieldType.string);
  const display = number.display ?? getDisplayProcessor({ field: number, theme });
  return (
    <div className={styles.tiles} data-testid="workbench-numbers">
      {number.values.slice(0, most).map((value, row) => (
        <BigValue
          key={row}
          {...{ theme, width: 188, height: 84 }}
          value={{ ...display(value), title: labels.map(({ values }) => values[row]).join(', ') || number.name }}
          colorMode={BigValueColorMode.None}
          graphMode={BigValueGraphMode.None}
        />
      ))}
    </div>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  tiles: css({ display: 'flex', flexWrap: 'wrap', gap: theme.spacing(1) }),
});
