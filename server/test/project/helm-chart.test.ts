import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';

const chart = join(import.meta.dirname, '../../../deploy/helm/sluice');
/** `SLUICE_TEST_HELM` is the path of the program if it is not in the PATH. */
const helm = process.env.SLUICE_TEST_HELM ?? 'helm';
const isMissing = spawnSync(helm, ['version']).status !== 0;

function render(values = '', release = 'gate'): { documents: Map<string, string>; error: string } {
  const folder = mkdtempSync(join(tmpdir(), 'helm-chart-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'values.yaml');
  writeFileSync(file, values);
  const args = ['template', release, chart, '--kube-version', '1.33.0', '-f', file];
  const { stdout, stderr } = spawnSync(helm, args, {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: folder },
  });
  const documents = stdout.split(/^---$/m).filter((text) => text.includes('kind: '));
  return {
    error: stderr,
    documents: new Map(
      documents.map((text) => [
        `${/^kind: (\w+)$/m.exec(text)?.[1]}/${/^metadata:\n {2}name: "([^"]*)"$/m.exec(text)?.[1]}`,
        text,
      ]),
    ),
  };
}

const existing = 'existingSecret: mine\n';
const podOf = (values: string) => render(values).documents.get('StatefulSet/gate') ?? '';
const variable = (pod: string, name: string) =>
  new RegExp(`\\{ name: ${name}, value: "([^"]*)" \\}`).exec(pod)?.[1];
const checksum = (pod: string) => /checksum\/secrets: (\w+)/.exec(pod)?.[1];

describe.skipIf(isMissing)(`the Helm chart${isMissing ? ' (skipped: helm is not installed)' : ''}`, () => {
  it('Helm chart renders nodes with CPU and memory limits, services and a disruption budget by default', () => {
    const { documents, error } = render(existing);
    expect(error).toBe('');
    expect([...documents.keys()].sort()).toEqual([
      'PodDisruptionBudget/gate',
      'Service/gate',
      'Service/gate-nodes',
      'StatefulSet/gate',
    ]);
    const pod = documents.get('StatefulSet/gate') ?? '';
    expect(pod).toMatch(/limits:\n +cpu: "2"\n +memory: 3Gi/);
    expect(pod).toContain('replicas: 2\n');
    expect(variable(pod, 'SLUICE_NODES')).toBe('2');
  });

  it.each([
    ['autoscaling', 'autoscaling: { enabled: true }', 'HorizontalPodAutoscaler/gate'],
    ['networkPolicy', 'networkPolicy: { enabled: true }', 'NetworkPolicy/gate'],
    [
      'serviceMonitor',
      'serviceMonitor: { enabled: true }\nsecretKeys: [DATABASE_URL, SLUICE_SECRET, SLUICE_METRICS_TOKEN]',
      'ServiceMonitor/gate',
    ],
    ['ingress', 'ingress: { enabled: true }', 'Ingress/gate'],
    ['disruptionBudget', 'disruptionBudget: { enabled: true }', 'PodDisruptionBudget/gate'],
  ])('Helm chart switches %s by its values', (name, on, document) => {
    expect(render(existing + on)).toMatchObject({ error: '' });
    expect(render(existing + on).documents.has(document)).toBe(true);
    expect(render(`${existing}${name}: { enabled: false }`).documents.has(document)).toBe(false);
  });

  it('Helm chart leaves the number of nodes to the autoscaler, and sizes connections for its maximum', () => {
    const pod = podOf(`${existing}autoscaling: { enabled: true, maxReplicas: 12 }`);
    expect(pod).not.toMatch(/^ {2}replicas:/m);
    expect(variable(pod, 'SLUICE_NODES')).toBe('12');
  });

  it('Helm chart has no disruption budget for a single node, which could then never be evicted', () => {
    expect(render(`${existing}replicas: 1`).documents.has('PodDisruptionBudget/gate')).toBe(false);
  });

  it.each([
    ['10485760', '10485760'],
    ['1e6', '1000000'],
    ['"1e6"', '1e6'],
    ['123456789012', '123456789012'],
    ['"0123"', '0123'],
    ['0.25', '0.25'],
    ['100', '100'],
    ['true', 'true'],
    ['"true"', 'true'],
    ['10 MiB', '10 MiB'],
    ['[10.0.0.0/8, "::1"]', '10.0.0.0/8,::1'],
    ['\'a "quoted" word\'', 'a \\"quoted\\" word'],
  ])('Helm chart passes the variable %s as the text %s', (written, passed) => {
    const pod = podOf(`${existing}env: { SLUICE_X: ${written} }`);
    expect(pod).toContain(`{ name: SLUICE_X, value: "${passed}" }`);
  });

  it('Helm chart omits a variable that is null', () => {
    expect(podOf(`${existing}env: { SLUICE_X: null }`)).not.toContain('SLUICE_X');
  });

  it('Helm chart quotes image, storage, ingress and release values that YAML could parse as numbers', () => {
    const values = `${existing}image: { tag: 20261125 }
persistence: { size: 5368709120, storageClass: "123" }
service: { port: 8080 }
ingress: { enabled: true, host: "1e6", className: "0", tlsSecret: "7" }
trustedProxies: [10.0.0.0/8]`;
    const { documents, error } = render(values, '1234');
    expect(error).toBe('');
    const pod = documents.get('StatefulSet/1234') ?? '';
    expect(pod).toContain('image: "sluice:20261125"');
    expect(pod).toContain('storage: "5368709120"');
    expect(pod).toContain('storageClassName: "123"');
    expect(pod).toContain('app.kubernetes.io/instance: "1234"');
    expect(documents.get('Service/1234')).toContain('port: 8080,');
    expect(documents.get('Ingress/1234')).toMatch(
      /ingressClassName: "0"[\s\S]*secretName: "7"[\s\S]*host: "1e6"/,
    );
    for (const text of documents.values()) expect(text.match(/\d\.?\d*e\+\d+|<no value>|%!/g)).toBeNull();
  });

  it('Helm chart replaces the pods only when a value of its Secret changes', () => {
    const secrets = (key: string) => podOf(`secrets: { DATABASE_URL: a, SLUICE_SECRET: ${key} }`);
    expect(checksum(secrets('one'))).not.toBe(checksum(secrets('two')));
    expect(secrets('one')).toBe(secrets('one'));
    expect(variable(secrets('one'), 'SLUICE_SECRET_FILE')).toBe('/run/secrets/sluice/SLUICE_SECRET');
    expect(secrets('one')).toContain('secretName: "gate-secrets"');
    expect(checksum(podOf(existing))).toMatch(/^[0-9a-f]{64}$/);
  });

  it('Helm chart reports missing values', () => {
    expect(render().error).toContain('Set existingSecret: the Secret with DATABASE_URL and SLUICE_SECRET');
    expect(render(`${existing}serviceMonitor: { enabled: true }`).error).toContain(
      'add SLUICE_METRICS_TOKEN to the Secret and to secretKeys',
    );
  });
});
