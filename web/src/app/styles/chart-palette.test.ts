import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

type Triple = readonly [number, number, number];

const tokens = readFileSync(new URL('./tokens.css', import.meta.url), 'utf8');
const backgrounds = [readPair('bg'), readPair('surface')];
const cycle = [1, 2, 3, 4, 5, 6, 7, 8].map((place) => readPair(`chart-${place}`));
const providers = ['openai', 'anthropic', 'google', 'deepseek', 'other'].map((key) =>
  readPair(`provider-${key}`),
);

/** Color vision matrices on linear RGB by Machado, Oliveira and Fernandes (2009), severity 1. */
const visions: Record<string, readonly Triple[]> = {
  normal: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protan: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deutan: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritan: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

describe.each(['light', 'dark'] as const)('chart colors, %s', (scheme) => {
  it.each([
    ['the cycle', cycle],
    ['providers', providers],
  ])('chart colors of %s have a contrast of at least 3:1 on page and panels', (_, colors) => {
    const ratios = colors.flatMap((color) =>
      backgrounds.map((background) => contrast(color[scheme], background[scheme])),
    );
    expect(Math.min(...ratios)).toBeGreaterThanOrEqual(3);
  });

  it.each(
    Object.keys(visions).flatMap((vision) => [
      { vision, name: 'the cycle', colors: cycle, apart: 12 },
      { vision, name: 'providers', colors: providers, apart: 10 },
    ]),
  )('chart colors of $name differ by at least $apart for $vision vision', ({ vision, colors, apart }) => {
    const seen = colors.map((color) => toOklab(see(color[scheme], visions[vision] ?? [])));
    const distances = seen.flatMap((one, place) =>
      seen
        .slice(place + 1)
        .map((other) => 100 * Math.hypot(...one.map((value, axis) => value - (other[axis] ?? 0)))),
    );
    expect(Math.min(...distances)).toBeGreaterThanOrEqual(apart);
  });
});

function readPair(name: string): { light: Triple; dark: Triple } {
  const [, light = '', dark = ''] =
    new RegExp(`--${name}: light-dark\\((#\\w{6}), (#\\w{6})\\)`).exec(tokens) ?? [];
  return { light: toLinear(light), dark: toLinear(dark) };
}

function toLinear(hex: string): Triple {
  const channel = (start: number) => {
    const value = Number.parseInt(hex.slice(start, start + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return [channel(1), channel(3), channel(5)];
}

const dot = (one: Triple, other: Triple) => one[0] * other[0] + one[1] * other[1] + one[2] * other[2];
const luminance = (color: Triple) => dot(color, [0.2126, 0.7152, 0.0722]);

function contrast(one: Triple, other: Triple): number {
  const [darker, lighter] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return ((lighter ?? 0) + 0.05) / ((darker ?? 0) + 0.05);
}

function see(color: Triple, [red, green, blue]: readonly Triple[]): Triple {
  const channel = (row: Triple = [0, 0, 0]) => Math.min(1, Math.max(0, dot(row, color)));
  return [channel(red), channel(green), channel(blue)];
}

function toOklab(color: Triple): Triple {
  const cones: Triple = [
    Math.cbrt(dot(color, [0.4122214708, 0.5363325363, 0.0514459929])),
    Math.cbrt(dot(color, [0.2119034982, 0.6806995451, 0.1073969566])),
    Math.cbrt(dot(color, [0.0883024619, 0.2817188376, 0.6299787005])),
  ];
  return [
    dot(cones, [0.2104542553, 0.793617785, -0.0040720468]),
    dot(cones, [1.9779984951, -2.428592205, 0.4505937099]),
    dot(cones, [0.0259040371, 0.7827717662, -0.808675766]),
  ];
}
