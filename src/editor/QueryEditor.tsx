import { css } from '@emotion/css';
import React, { Fragment, useRef, useState } from 'react';

import { type QueryEditorProps } from '@grafana/data';
import { EditorRow } from '@grafana/plugin-ui';
import { Stack } from '@grafana/ui';

import { getDataSet } from '../../schema/datasets';
import { KeepFocus } from '../controls/KeepFocus';
import { type DataSource } from '../source/datasource';
import { useFirstQuery } from '../query/firstQuery';
import { changeDataSet, changeFormat, changeParts, type Fitted, formatsFor, isShown } from '../query/fit';
import { type Part, partNames, partsIn } from '../query/parts';
import { changeVisualization, type PanelDefaults } from '../panel/panelDefaults';
import { useVisualization } from '../panel/rerun';
import { applyPreset, lookFor, type Preset, presets } from '../query/presets';
import { type Format, type InsightsQuery, isRule, measuresOf } from '../query/query';
import { selectors } from '../selectors';
import { type InsightsJsonData } from '../settings';
import { daysBack, defaultDays } from '../source/suggestions';
import { DrawnBy, ResetAlert, resetText, UnknownVariables } from './alerts';
import { type ControlProps, seenFields, useSaved } from './control';
import { Filters } from './Filters';
import { Help } from './help';
import { More, partsInMore } from './More';
import { DataSetChoice, FormatChoice, Parts } from './parts';
import { PresetsMenu } from './Presets';

export type Props = QueryEditorProps<DataSource, InsightsQuery, InsightsJsonData>;

const partsOfMeasure = partsIn('measure');

/** Keeps the text in place, regardless of the width of the controls above it. */
const ownLine = css({ flexBasis: '100%' });

/** In line with the controls next to it, which have labels. */
const atBottom = css({ alignSelf: 'flex-end' });

/** Edits a query: first what to query, then the filters, then the controls that few queries need. */
export function QueryEditor({ query: saved, datasource, data, range, app, onChange, onRunQuery }: Props) {
  const [reset, setReset] = useState<Fitted['reset']>([]);
  // A starter query also replaces what was typed and not saved.
  const [start, setStart] = useState(0);
  const { query, save } = useSaved(saved, onChange);
  const dataSet = getDataSet(query.queryType);
  const shows = (part: Part) =>
    part === 'measures' && isRule(app) ? measuresOf(query).length > 1 : isShown(query, part);

  useFirstQuery({ app, query: saved, data, onChange, onRunQuery });
  const visualization = useVisualization(query, data, onRunQuery);
  const changes = useRef(Promise.resolve());
  const draw = (look: PanelDefaults) => {
    // One after the other: the visualization that was selected last can be the first one to be loaded.
    changes.current = changes.current.then(() => changeVisualization(data?.request, look));
  };

  const apply = (fitted: Fitted, set?: readonly string[]) => {
    if (save(fitted.query, set)) {
      setReset(fitted.reset);
      onRunQuery();
    }
  };
  const control: ControlProps = {
    query,
    dataSet,
    datasource,
    days: query.days ?? daysBack(range) ?? defaultDays,
    seenFields: seenFields(data, query.refId, dataSet),
    onChange: (parts) => apply(changeParts(query, parts)),
  };

  const choosePreset = ({ query: parts, look }: Preset) => {
    apply({ query: applyPreset(query, parts), reset: [] }, partNames);
    setStart(start + 1);
    draw(look);
  };

  return (
    <div data-testid={selectors.query.editor}>
      <KeepFocus>
        {/* EditorRows would wrap, and so be as wide as its widest row. */}
        <Stack direction="column" gap={0.5}>
          <EditorRow>
            <div className={atBottom}>
              <PresetsMenu
                presets={presets().filter(({ query: { format } }) => canShow(app, format))}
                onChoose={choosePreset}
              />
            </div>
            <DataSetChoice value={query.queryType} onChange={(name) => apply(changeDataSet(query, name))} />
            <div>
              <FormatChoice
                offered={formatsFor(dataSet).filter((format) => format === query.format || canShow(app, format))}
                value={query.format}
                onChange={(format) => apply(changeFormat(query, format))}
              />
              <DrawnBy visualization={visualization} look={lookFor(query)} onSwitch={draw} />
            </div>
            <Parts parts={['columns']} shows={shows} {...control} />
            {partsOfMeasure.some(shows) && (
              <>
                <div className={ownLine}>
                  <Stack gap={2} wrap="wrap">
                    <Parts parts={partsOfMeasure} shows={shows} {...control} />
                  </Stack>
                </div>
                <div className={ownLine}>
                  <Help {...control} app={app} data={data} />
                </div>
              </>
            )}
          </EditorRow>
          <EditorRow>
            {/* An incomplete filter belongs to the data set that it was added for. */}
            <Filters key={`${dataSet.name} ${start}`} {...control} />
            <More query={query}>
              <Fragment key={start}>
                <Parts parts={partsInMore} shows={shows} {...control} />
              </Fragment>
            </More>
          </EditorRow>
          <UnknownVariables names={datasource.unknownVariables(saved, data?.request?.scopedVars)} />
          <ResetAlert text={reset.length > 0 ? resetText(query, reset) : undefined} onDismiss={() => setReset([])} />
        </Stack>
      </KeepFocus>
    </div>
  );
}

/** A rule needs numbers. */
function canShow(app: Props['app'], format: Format | undefined): boolean {
  return (format !== 'timeline' && format !== 'deadlines') || !isRule(app);
}
