import { colorManipulator } from '@grafana/data';
import { valuesOf } from './fields';
import type { Panel } from '../../../dashboards/parts';

/** Grafana's value of a named color, dark theme first (packages/grafana-data, createVisualizationColors). */
const named: Record<string, [dark: string, light: string]> = {
  text: ['#CCCCDC', '#24292E'],
  red: ['#F2495C', '#E02F44'],
  'semi-dark-green': ['#56A64B', '#37872D'],
  orange: ['#FF9830', '#FF780A'],
  blue: ['#5794F2', '#3274D9'],
  purple: ['#B877D9', '#A352CC'],
};

/** Backgrounds of a panel, dark theme first. */
const backgrounds = ['#181B1F', '#FFFFFF'];

/** Least difference (ΔE, CIE76) of colors that stand for something without a text. */
const LEAST_DIFFERENCE = 20;

/** Pairs of threshold colors that people with deuteranopia can't tell apart, where a panel shows no values. */
export function confusable({ title, options, fieldConfig }: Panel): string[] {
  const colors = [...new Set(valuesOf(fieldConfig?.defaults, 'color').filter((color) => typeof color === 'string'))];
  const isSilent = (options as { showValue?: string } | undefined)?.showValue === 'never' && colors.length > 1;
  const pairs = colors.flatMap((one, index) => colors.slice(index + 1).map((other) => [String(one), String(other)]));
  return (isSilent ? pairs : []).flatMap(([one, other]) =>
    [0, 1].flatMap((theme) => {
      const difference = differenceOf(hexOf(one, theme), hexOf(other, theme));
      return difference < LEAST_DIFFERENCE ? [`${title}: ${one} and ${other} differ by ${difference.toFixed(0)}`] : [];
    })
  );
}

const hexOf = (color: string, theme: number) => named[color]?.[theme] ?? color;

/** How far apart people with deuteranopia see two colors. */
function differenceOf(one: string, other: string): number {
  const [a, b] = [labOf(one), labOf(other)];
  return Math.hypot(...a.map((value, index) => value - b[index]));
}

/** What is seen without green cones (Machado, Oliveira, and Fernandes, 2009), in linear light. */
const deuteranopia = [
  [0.367322, 0.860646, -0.227968],
  [0.280085, 0.672501, 0.047413],
  [-0.01182, 0.04294, 0.968881],
];
/** From linear sRGB to CIE XYZ, relative to the white point D65. */
const toXyz = [
  [0.4124 / 0.9505, 0.3576 / 0.9505, 0.1805 / 0.9505],
  [0.2126, 0.7152, 0.0722],
  [0.0193 / 1.089, 0.1192 / 1.089, 0.9505 / 1.089],
];

function labOf(hex: string): number[] {
  const times = (matrix: number[][], vector: number[]) =>
    matrix.map((line) => line.reduce((sum, factor, index) => sum + factor * vector[index], 0));
  const linear = colorManipulator
    .decomposeColor(hex)
    .values.slice(0, 3)
    .map((value: number) => value / 255)
    .map((value: number) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
  const seen = times(deuteranopia, linear).map((value) => Math.min(1, Math.max(0, value)));
  const [x, y, z] = times(toXyz, seen).map((value) => (value > 0.008856 ? Math.cbrt(value) : 7.787 * value + 16 / 116));
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

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
