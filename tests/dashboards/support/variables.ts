/** Names of the variables in every text below a node, in each of Grafana's three notations. Its own, such as __all, stay out. */
export function variablesIn(node: unknown): string[] {
  const found = [...JSON.stringify(node).matchAll(/\$\{(\w+)|\$(\w+)|\[\[(\w+)/g)];
  return found.map(([, braces, bare, brackets]) => braces ?? bare ?? brackets).filter((name) => !name.startsWith('__'));
}
