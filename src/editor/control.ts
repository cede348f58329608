import { type DataSet } from '../../datasets/datasets';
import { type DataSource } from '../datasource';
import { type InsightsQuery, type QueryParts } from '../query';

/** What every control of the query editor gets. */
export interface ControlProps {
  query: InsightsQuery;
  dataSet: DataSet;
  datasource: DataSource;
  /** Days that suggestions look back. */
  days: number;
  /** Fields that the last answer had although no description has them. */
  seenFields: string[];
  /** Changes these parts of the query and runs it. */
  onChange: (parts: Partial<QueryParts>) => void;
}
