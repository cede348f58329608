import description from './settings.json';

/** The description of each setting, by its name: its texts in English, its default, and its bounds. */
export const described = description.settings;

/** A setting as settings.json describes it, in English. */
export interface Setting {
  /** jsonData, secureJsonData, or root, which is at the same level. */
  in: string;
  label: string;
  type: string;
  required?: boolean;
  description: string;
  example?: unknown;
  section?: string;
  /** The text below the label. */
  help?: string;
  placeholder?: string;
  default?: string | number | boolean;
  /** The allowed values; absent: any. */
  values?: string[];
  /** Their names. */
  valueLabels?: Record<string, string>;
  min?: number;
  max?: number;
  /** What stands in an address for the key of what the page shows. */
  variable?: string;
}

/** What must be done by when: successes by a time of day, or one within some time of the creation of each task. */
export interface Deadline {
  /** A label, in which * matches any text. */
  automation?: string;
  /** HH:MM. */
  by?: string;
  /** When the window begins: HH:MM, the last one before `by`, or days before, such as 4d. */
  from?: string;
  /** mon to sun, workday, workday 5, last workday, 5, last; every day when absent. */
  days?: Array<string | number>;
  /** IANA name; the calendar's when absent. */
  timezone?: string;
  /** Successes on that day; 1 when absent. */
  count?: number;
  /** A duration such as 45m. */
  within?: string;
}

/** Whose automations are. */
export interface Team {
  /** A label, in which * matches any text. */
  automation?: string;
  team?: string;
}

/** Workdays, holidays, and their time zone. */
export interface Calendar {
  /** IANA name; UTC when absent. */
  timezone?: string;
  /** mon to sun; mon to fri when absent. */
  workdays?: string[];
  /** YYYY-MM-DD or MM-DD, then any name. */
  holidays?: string[];
}

type Described = typeof described;
type ValueOf<S> = S extends { example: Array<{ team: string }> }
  ? Team[]
  : S extends { example: unknown[] }
    ? Deadline[]
    : S extends { example: object }
      ? Calendar
      : S extends { type: string; min: number }
        ? number
        : S extends { default: boolean }
          ? boolean
          : string;

/** The values of the settings in jsonData. */
export type SettingValues = { [K in keyof Omit<Described, 'url' | 'key'>]?: ValueOf<Described[K]> };
export type SettingName = keyof SettingValues;

/** The settings by name. */
export const settings: Record<SettingName, Setting> = described;

/** The names of the settings of a section of the config editor, in its order. */
export function settingsIn(section: string): SettingName[] {
  return (Object.keys(settings) as SettingName[]).filter((name) => settings[name].section === section);
}

/** The part of text keys and test IDs that stands for a setting: cache-ttl for cacheTTL. */
export function dashed(name: string): string {
  return name.replace(/([a-z])([A-Z])/g, '$1-$2').toLowerCase();
}
