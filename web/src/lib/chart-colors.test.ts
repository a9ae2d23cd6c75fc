import { describe, expect, it } from 'vitest';
import { chartColors, entityColorsOf } from './chart-colors.ts';

const names = ['Ada', 'Ben', 'Cy', 'Dora', 'Eli', 'Finn', 'Gus', 'Hal'];

describe('entityColorsOf', () => {
  it('entityColorsOf gives an entity the same color in any order', () => {
    const one = entityColorsOf(names);
    const other = entityColorsOf(names.toReversed());
    expect(names.map(other)).toEqual(names.map(one));
  });

  it('entityColorsOf gives eight entities eight colors', () => {
    expect(new Set(names.map(entityColorsOf(names)))).toEqual(new Set(chartColors));
  });

  it('entityColorsOf keeps the color of most entities when others are filtered out', () => {
    const all = entityColorsOf(names);
    const few = names.slice(0, 3);
    const alone = few.filter((name) => entityColorsOf([name])(name) === all(name));
    expect(few.filter((name) => alone.includes(name)).map(entityColorsOf(alone))).toEqual(alone.map(all));
  });

  it('entityColorsOf colors more entities than there are colors', () => {
    const many = Array.from({ length: 20 }, (_, place) => `user ${place}`);
    expect(many.map(entityColorsOf(many)).every((color) => chartColors.includes(color))).toBe(true);
  });
});
