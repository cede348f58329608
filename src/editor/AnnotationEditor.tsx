import { without } from 'lodash';
import React, { useEffect } from 'react';

import { type TimeRange } from '@grafana/data';
import { EditorRow, EditorRows } from '@grafana/plugin-ui';

import { getDataSet } from '../../schema/datasets';
import { KeepFocus } from '../controls/KeepFocus';
import { partsIn } from '../query/parts';
import { type Annotation, prepareAnnotation } from '../query/newAnnotation';
import { type InsightsQuery, isEmpty, withParts } from '../query/query';
import { daysBack, defaultDays, type EditorSource } from '../source/suggestions';
import { UnknownVariables } from './alerts';
import { type ControlProps, useSaved } from './control';
import { Filters } from './Filters';
import { FormatChoice, Parts } from './parts';

interface Props {
  query: InsightsQuery;
  datasource: EditorSource;
  range?: TimeRange;
  annotation?: Annotation;
  onAnnotationChange?: (annotation: Annotation) => void;
  onChange: (query: InsightsQuery) => void;
  onRunQuery: () => void;
}

/** Parts that an annotation hardly needs. They are sent if they are saved by hand, or have no effect. */
const otherParts = without([...partsIn('measure'), ...partsIn('more')], 'search', 'timeField');

/** Edits an annotation query: the tasks to mark, and the time field to mark them at. */
export function AnnotationEditor({ query: saved, datasource, range, onChange, onRunQuery, ...props }: Props) {
  usePrepared(props);
  const { query, save } = useSaved(saved, onChange);
  const dataSet = getDataSet('tasks');
  const control: ControlProps = {
    query,
    dataSet,
    datasource,
    days: daysBack(range) ?? defaultDays,
    seenFields: [],
    onChange: (parts) => save(withParts(query, parts)) && onRunQuery(),
  };
  return (
    <KeepFocus>
      <EditorRows>
        <EditorRow>
          <Parts parts={['search', 'timeField']} {...control} />
        </EditorRow>
        <EditorRow>
          <Filters {...control} />
          {query.format && (
            <FormatChoice
              offered={['table', 'attention']}
              value={query.format}
              onChange={(format) => control.onChange({ format: format === 'table' ? undefined : format })}
            />
          )}
          <Parts parts={['columns', ...otherParts]} shows={(part) => !isEmpty(query[part])} {...control} />
        </EditorRow>
        <UnknownVariables names={datasource.unknownVariables(saved)} />
      </EditorRows>
    </KeepFocus>
  );
}

// Fills in a new annotation. Grafana does it itself, except where another data source was selected before: then it asks only
// that one.
function usePrepared({ annotation, onAnnotationChange }: Pick<Props, 'annotation' | 'onAnnotationChange'>) {
  useEffect(() => {
    const prepared = annotation && prepareAnnotation(annotation);
    if (prepared && prepared !== annotation) {
      onAnnotationChange?.(prepared);
    }
  }, [annotation, onAnnotationChange]);
}
