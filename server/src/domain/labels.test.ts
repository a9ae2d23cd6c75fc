import { labelSources, labelsMax } from '@sluice/contract';
import { describe, expect, it } from 'vitest';
import { mergeLabels, parseLabelHeader } from './labels.ts';

describe('mergeLabels', () => {
  it('mergeLabels uses the last source that sets a name, in the order of labelSources', () => {
    const names = labelSources.map((_, place) => labelSources.slice(0, place + 1));
    // Each source also sets the names of all later sources. The merged value of a name must therefore be that of the
    // last source that sets it.
    const sources = Object.fromEntries(
      labelSources.map((source, place) => [
        source,
        Object.fromEntries(names.slice(place).map((_, later) => [`l${place + later}`, source])),
      ]),
    );
    expect(mergeLabels(sources)).toEqual(
      Object.fromEntries(labelSources.map((source, place) => [`l${place}`, source])),
    );
  });

  it('mergeLabels returns equal JSON for equal labels from different sources, and null without labels', () => {
    const one = mergeLabels({ team: { b: '1', a: '2' } });
    expect(JSON.stringify(one)).toBe('{"a":"2","b":"1"}');
    expect(JSON.stringify(mergeLabels({ key: { a: '2' }, user: { b: '1' } }))).toBe(JSON.stringify(one));
    expect(mergeLabels({ team: null, user: undefined, key: {} })).toBeNull();
  });
});

describe('parseLabelHeader', () => {
  it.each([
    ['cost_center=4711', { cost_center: '4711' }],
    [' a = x , b=y=z ,', { a: 'x', b: 'y=z' }],
    ['a=', { a: '' }],
    ['constructor=1', { constructor: '1' }],
    ['', {}],
  ])('parseLabelHeader reads %j', (text, labels) => {
    expect(parseLabelHeader(text)).toEqual({ ok: true, labels });
  });

  const many = (count: number) => Array.from({ length: count }, (_, place) => `l${place}=1`).join();

  it.each([
    ['cost_center', "'cost_center' has no value"],
    ['Cost=1', "The label 'Cost' is invalid. A label name has 1 to 63 lowercase letters"],
    ['__proto__=1', "The label '__proto__' is invalid"],
    ['=1', "The label '' is invalid"],
    [`${'a'.repeat(64)}=1`, '1 to 63 lowercase letters'],
    [`a=${'x'.repeat(201)}`, "The label 'a' is invalid. A label value must have at most 200 characters"],
    ['a=https://example.com', 'without URLs'],
    ['a=1,a=2', "The label 'a' appears twice"],
    ['a=caf\u00e9', 'ASCII characters only'],
    [many(labelsMax + 1), 'It has 21 labels, and at most 20 are allowed'],
    [`a=${'x'.repeat(2_000)}`, 'It has 2002 characters, and at most 2000 are allowed'],
  ])('parseLabelHeader reports the problem of %j', (text, problem) => {
    const parsed = parseLabelHeader(text);
    expect(parsed).toMatchObject({ ok: false, problem: expect.stringContaining(problem) });
    expect(!parsed.ok && parsed.problem.endsWith('.')).toBe(true);
  });
});
