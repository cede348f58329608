import { getDataSet } from '../../datasets/datasets';
import { type ControlProps } from '../editor/control';
import { type InsightsQuery } from '../query';
import { dataSourceWith } from './datasource';

/** What one control of the query editor gets for this query. */
export function controlFor(query: Partial<InsightsQuery>, more: Partial<ControlProps> = {}) {
  const onChange = jest.fn();
  const props: ControlProps = {
    query: { refId: 'A', ...query },
    dataSet: getDataSet(query.queryType),
    datasource: dataSourceWith().datasource,
    days: 30,
    seenFields: [],
    onChange,
    ...more,
  };
  return { props, onChange };
}
