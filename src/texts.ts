import { t } from '@grafana/i18n';

import { type DataSet, type Field, type Measure } from '../datasets/datasets';

/** Translated name of a data set. The key is made from its name: the locale test walks datasets.json for those. */
export function dataSetLabel({ name, label }: DataSet): string {
  return t(`datasets.${name}.label`, label);
}

/** Translated description of a data set. */
export function dataSetDescription({ name, description }: DataSet): string {
  return t(`datasets.${name}.description`, description);
}

/** Translated description of a field. Its name is the service's own and stays. */
export function fieldDescription(dataSet: DataSet, { name, description }: Field): string {
  return t(`datasets.${dataSet.name}.fields.${name}`, description);
}

/** Translated name of a measure; where the measure is a field of the service, the field's own name. */
export function measureLabel(dataSet: DataSet, { name, label }: Measure): string {
  return dataSet.measures ? t(`datasets.${dataSet.name}.measures.${name}.label`, label) : name;
}

/** Translated description of a measure. */
export function measureDescription(dataSet: DataSet, { name, description }: Measure): string {
  return dataSet.measures
    ? t(`datasets.${dataSet.name}.measures.${name}.description`, description)
    : t(`datasets.${dataSet.name}.fields.${name}`, description);
}
