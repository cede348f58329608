import { FieldColorModeId, FieldType, type DataFrame, type Field, type FieldConfig } from '@grafana/data';
import { TableCellDisplayMode } from '@grafana/schema';

// Room for a date and a time; other columns share what is left.
const timeWidth = 180;

function looksOf({ type, config }: Field): FieldConfig {
  switch (type) {
    case FieldType.time:
      return { custom: { width: timeWidth } };
    case FieldType.number:
      return { color: { mode: FieldColorModeId.PaletteClassic } };
    default:
      return config.mappings?.length ? { custom: { cellOptions: { type: TableCellDisplayMode.Pill } } } : {};
  }
}

/** Gives fields the looks that a dashboard's panels give them: colours of series, pills for mapped values, room for times. */
export function withLooks(frame: DataFrame): DataFrame {
  const fields = frame.fields.map((field) => {
    const looks = looksOf(field);
    const custom = { ...looks.custom, ...field.config.custom };
    return { ...field, config: { ...looks, ...field.config, custom } };
  });
  return { ...frame, fields };
}
