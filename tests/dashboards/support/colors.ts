import { colorManipulator } from '@grafana/data';
import { valuesOf } from './fields';
import type { Panel } from '../../../dashboards/parts';

/** Grafana's value of a named color, dark theme first (packages/grafana-data, createVisualizationColors). */
const named: Record<string, [dark: string, light: string]> = {
  text: ['#CCCCDC', '#24292E'],
  red: ['#F2495C', '#E02F44'],
  'semi-dark-green': ['#56A64B', '#37872D'],
  blue: ['#5794F2', '#3274D9'],
  purple: ['#B877D9', '#A352CC'],
};

/** Backgrounds of a panel, dark theme first. */
const backgrounds = ['#181B1F', '#FFFFFF'];

/** Minimum contrast of text (WCAG 2, level AA). */
const LEAST = 4.5;

/** Colors of a panel's numbers or cells in which text is unreadable, with their contrast. */
export function unreadable(panel: Panel): string[] {
  const found = panel.type === 'stat' ? colorsOf(panel).flatMap(onPanel) : [];
  return [...found, ...cellColors(panel).flatMap(underText)].map((problem) => `${panel.title}: ${problem}`);
}

function onPanel(color: string): string[] {
  const hexes = named[color] ?? [color, color];
  return hexes.flatMap((hex, theme) => judge(color, hex, backgrounds[theme]));
}

/** Grafana uses dark text on a bright cell and bright text on any other (packages/grafana-ui, utils/colors). */
function underText(color: string): string[] {
  return judge(color, color, brightness(color) > 180 ? '#202226' : '#F7F8FA');
}

function judge(color: string, one: string, other: string): string[] {
  const ratio = colorManipulator.getContrastRatio(one, other);
  return ratio < LEAST ? [`${color} has ${ratio.toFixed(1)} on ${other}`] : [];
}

function colorsOf({ fieldConfig }: Panel): string[] {
  return [
    ...valuesOf(fieldConfig, 'fixedColor'),
    ...valuesOf(fieldConfig, 'color').filter((color) => typeof color === 'string'),
  ].map(String);
}

/** For columns with filled cells. A transparent cell has the panel's background and the usual text. */
function cellColors({ fieldConfig }: Panel): string[] {
  const filled = (fieldConfig?.overrides ?? []).filter(({ properties }) =>
    JSON.stringify(properties).includes('color-background')
  );
  return valuesOf(filled, 'color')
    .filter((color) => typeof color === 'string' && color !== 'transparent')
    .map(String);
}

function brightness(color: string): number {
  const [red, green, blue] = colorManipulator.decomposeColor(color).values;
  return (red * 299 + green * 587 + blue * 114) / 1000;
}
