import type { Dashboard } from './parts';

/** Properties whose texts people read. */
const shown = ['title', 'description', 'label', 'tooltip', 'noValue', 'text', 'displayName'];

/** UIDs of dashboards, links to them, and their tag. */
const ownNames =
  /^(\/d\/)?insights(-operations|-automations|-business-value|-runners|-tasks|-workspaces|-history|-any-range)?(?=\?|$)/;

/** A dashboard in another language. It has a UID and a tag of its own, and links to the dashboards of its language. */
export function translated(dashboard: Dashboard, language: string, texts: Record<string, string>): Dashboard {
  const suffix = `-${language.toLowerCase()}`;
  const own = (text: string) => text.replace(ownNames, `$&${suffix}`);
  const say = (text: string) => {
    if (!/\p{L}/u.test(text.replace(/\$\{.*?\}/g, ''))) {
      return text;
    }
    if (!texts[text]) {
      throw new Error(`dashboards/locales/${language}.json has no translation of ${JSON.stringify(text)}`);
    }
    return texts[text];
  };
  const choices = (query: string) =>
    query
      .split(',')
      .map((one) => one.split(' : '))
      .map(([text, value]) => `${say(text)} : ${value}`)
      .join(',');

  const visit = (node: unknown, key = ''): unknown => {
    if (typeof node === 'string') {
      return shown.includes(key) ? say(node) : own(node);
    }
    if (Array.isArray(node)) {
      return node.map((one) => visit(one));
    }
    if (typeof node !== 'object' || node === null) {
      return node;
    }
    const { id, type } = node as Record<string, unknown>;
    return Object.fromEntries(
      Object.entries(node).map(([name, value]) => {
        if (type === 'custom' && name === 'query') {
          return [name, choices(String(value))];
        }
        if (id === 'unit' && String(value).startsWith('suffix: ')) {
          return [name, `suffix: ${say(String(value).slice(8))}`];
        }
        // An override consists of the name of a property and its value.
        return [name, visit(value, name === 'value' && typeof id === 'string' ? id : name)];
      })
    );
  };
  return visit(dashboard) as Dashboard;
}
