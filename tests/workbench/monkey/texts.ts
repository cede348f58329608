/** The English texts of the controls, by what is saved. What a data set doesn't offer is shown as saved. */

export const formatTexts: Record<string, string> = {
  table: 'Table',
  attention: 'Needs attention',
  deadlines: 'Due today',
  numeric: 'Number',
  timeseries: 'Time series',
  timeline: 'Timeline',
};

export const compareTexts: Record<string, string> = {
  previous: 'Previous period',
  hour: 'Previous hour',
  day: 'Previous day',
  week: 'Previous week',
  month: 'Previous month',
  year: 'Previous year',
};

export const perTexts: Record<string, string> = {
  auto: 'Auto (interval)',
  hour: 'Hour',
  day: 'Day',
  week: 'Week',
  month: 'Month',
};
