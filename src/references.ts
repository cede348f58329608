import { isPlainObject } from 'lodash';

import { type DataQueryRequest, type Field, stringToJsRegex, type ValueMapping } from '@grafana/data';

import { panelOf, type SceneObject, sharersOf } from './visualization';

/** A text by which a saved panel refers to fields: a name or a regular expression. */
interface Reference {
  text: string;
  /** It also matches the API's name, regardless of the display name. */
  byApiName?: boolean;
}

/** The names by which a panel refers to fields. */
export interface References {
  list: Reference[];
  /** Transformations refer to fields by display names, and pass them on. */
  isTransformed: boolean;
  /** A link or text contains values as they are displayed, or a panel that shares the result maps them. */
  passesValues: boolean;
  /** Value mappings of the panel, which Grafana ignores in fields with mappings of their own. */
  mappings: ValueMapping[];
}

/** Macros that expand to displayed text: a value, or the name of a series. */
const shownMacro = /__(?:field\.displayName|series\.name|data\b|value\b|cell)/;

/** References of the requesting panel and of panels that share its result; undefined if the request has no panel. */
export function referencesOf({ scopedVars }: Pick<DataQueryRequest, 'scopedVars'>): References | undefined {
  const { panel, transformations } = panelOf(scopedVars);
  if (!panel) {
    return undefined;
  }
  const sharers = sharersOf(panel);
  const panels = [{ panel, transformations }, ...sharers];
  return {
    list: panels.flatMap(({ panel, transformations }) => [
      ...overrideReferences(panel),
      ...optionReferences(panel),
      ...textsIn(transformations).map((text) => ({ text })),
    ]),
    isTransformed: panels.some(({ transformations }) => transformations.length > 0),
    passesValues:
      panels.some(({ panel }) => shownMacro.test(JSON.stringify([panel.state.fieldConfig, panel.state.options]))) ||
      sharers.some(({ panel }) => mappingsOf(panel).length > 0),
    mappings: mappingsOf(panel),
  };
}

function mappingsOf({ state }: SceneObject): ValueMapping[] {
  return state.fieldConfig?.defaults?.mappings ?? [];
}

/** Whether a reference matches a name. An invalid regular expression matches nothing. */
export function finds({ text }: Reference, name: string): boolean {
  if (text === name) {
    return true;
  }
  try {
    return stringToJsRegex(text).test(name);
  } catch {
    return false;
  }
}

/** Whether a regular expression excludes names: it could match a new name where it did not match the old one. */
export function excludes({ text }: Reference): boolean {
  return /\(\?<?!/.test(text);
}

/** References that depend on the display name of a field: those that match the API's name do not. */
export function referencesTo({ list }: References, { name }: Pick<Field, 'name'>): Reference[] {
  return list.filter(({ text, byApiName }) => !byApiName || text !== name);
}

function overrideReferences({ state }: SceneObject): Reference[] {
  return (state.fieldConfig?.overrides ?? []).flatMap(({ matcher: { id, options } }): Reference[] => {
    switch (id) {
      case 'byName':
      case 'byNames':
        return textsIn(options).map((text) => ({ text, byApiName: true }));
      case 'byRegexp':
      case 'byRegexpOrNames':
        return textsIn(options).map((text) => ({ text }));
      default:
        return [];
    }
  });
}

/** A bar chart accepts either name; the sort order of a table and the fields of a Stat use display names. */
function optionReferences({ state }: SceneObject): Reference[] {
  return Object.entries(state.options ?? {}).flatMap(([option, value]) =>
    textsIn(value).map((text) => ({ text, byApiName: option === 'xField' || option === 'colorByField' }))
  );
}

/** Options of transformations with names as keys. The values of renameByName are new names, not references. */
const keyedByName = ['indexByName', 'excludeByName', 'includeByName', 'renameByName', 'fields'];

/** The texts in saved options, including the keys that are names. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') {
    return value ? [value] : [];
  }
  if (typeof value !== 'object' || value === null) {
    return [];
  }
  return Object.entries(value).flatMap(([key, inner]) => {
    const names = keyedByName.includes(key) && isPlainObject(inner) ? Object.keys(inner) : [];
    return key === 'renameByName' ? names : [...names, ...textsIn(inner)];
  });
}
