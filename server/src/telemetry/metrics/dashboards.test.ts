import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { metricCatalogue } from './catalogue.ts';

const deploy = join(import.meta.dirname, '../../../../deploy');
const dashboard = z
  .object({
    panels: z.array(z.object({ title: z.string(), targets: z.array(z.object({ expr: z.string() })) })),
  })
  .parse(JSON.parse(readFileSync(join(deploy, 'grafana/sluice.json'), 'utf8')));
const rules = readFileSync(join(deploy, 'prometheus/rules.yaml'), 'utf8');

const samples = new Set(
  Object.entries(metricCatalogue).flatMap(([name, { type }]) =>
    type === 'histogram' ? ['_bucket', '_sum', '_count'].map((end) => name + end) : [name],
  ),
);
const namesIn = (text: string) => [...new Set(text.match(/\bsluice_\w+/g) ?? [])];
const expressions = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)).join('\n');

describe.each([
  ['the panels of the dashboard', expressions],
  ['the alert rules', rules.replaceAll(/^\s*(- alert|summary):.*$/gm, '')],
])('%s', (name, text) => {
  it(`${name} contain only metrics of the catalog`, () => {
    expect(namesIn(text).length).toBeGreaterThan(10);
    expect(namesIn(text).filter((name) => !samples.has(name))).toEqual([]);
  });

  it(`${name} contain only known labels`, () => {
    const known = new Set(
      Object.values(metricCatalogue).flatMap(({ labels }) => labels as readonly string[]),
    );
    const added = ['instance', 'le', 'job'];
    const asked = [...text.matchAll(/(?:by \(([^)]*)\)|\{([^{}]*?=[^{}]*)\})/g)].flatMap(([, by, matched]) =>
      by === undefined
        ? [...(matched ?? '').matchAll(/(\w+)\s*(?:=~|!=|!~|=)"/g)].map((match) => match[1] ?? '')
        : by.split(',').map((one) => one.trim()),
    );
    expect(asked.length).toBeGreaterThan(10);
    expect(asked.filter((label) => !known.has(label) && !added.includes(label))).toEqual([]);
  });
});
