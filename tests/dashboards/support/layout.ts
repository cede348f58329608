import type { GridPos, Panel } from './types';

/** Columns of Grafana's grid. */
const COLUMNS = 24;

/** Pairs of panels that lie over each other, and panels that stick out, by their titles. */
export function misplaced(panels: Panel[]): string[] {
  const outside = panels.filter(({ gridPos: { x, y, w, h } }) => x < 0 || y < 0 || w < 1 || h < 1 || x + w > COLUMNS);
  const overlaps = panels.flatMap((one, index) =>
    panels.slice(index + 1).flatMap((other) => (overlap(one.gridPos, other.gridPos) ? [[one, other]] : []))
  );
  return [...outside.map(name), ...overlaps.map(([one, other]) => `${name(one)} and ${name(other)}`)];
}

function overlap(a: GridPos, b: GridPos): boolean {
  return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
}

function name({ id, title }: Panel): string {
  return title ?? `panel ${id}`;
}
