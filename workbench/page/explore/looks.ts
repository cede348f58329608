import { FieldType, type DataFrame, type Field } from '@grafana/data';
import { TableCellDisplayMode } from '@grafana/schema';

// Room for a date and a time; other columns share what is left.
const timeWidth = 180;

function looksOf({ type, config }: Field): Record<string, unknown> {
  if (type === FieldType.time) {
    return { width: timeWidth };
  }
  return config.mappings?.length ? { cellOptions: { type: TableCellDisplayMode.Pill } } : {};
}

/** Gives a table the looks that a dashboard's author would: a table shows no colour of a mapped value by itself. */
export function withLooks(frame: DataFrame): DataFrame {
  const fields = frame.fields.map((field) => {
    const custom = { ...looksOf(field), ...field.config.custom };
    return { ...field, config: { ...field.config, custom } };
  });
  return { ...frame, fields };
}
