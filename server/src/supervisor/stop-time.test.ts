import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readConfig } from '#config/read-config.ts';
import { findStopTimeMs } from './stop-signals.ts';

const deploy = join(import.meta.dirname, '../../../deploy');
const read = (name: string) => readFileSync(join(deploy, name), 'utf8');

function find(text: string, pattern: RegExp): string {
  const [, found] = pattern.exec(text) ?? [];
  if (found === undefined) throw new Error(`there is no ${pattern}`);
  return found;
}

const compose = read('compose.yaml');
const unit = read('sluice.service');
const values = read('helm/sluice/values.yaml');
const pod = read('helm/sluice/templates/nodes.yaml');
const seconds = (name: string) => find(values, new RegExp(`^${name}: (\\d+)$`, 'm'));

it.each([
  {
    name: 'compose',
    delay: find(compose, /SLUICE_DRAIN_DELAY: (\w+)/),
    timeout: find(compose, /SLUICE_DRAIN_TIMEOUT: (\w+)/),
    graceSeconds: Number(find(compose, /stop_grace_period: (\d+)s/)),
  },
  {
    name: 'systemd',
    delay: find(unit, /SLUICE_DRAIN_DELAY=(\w+)/),
    timeout: find(unit, /SLUICE_DRAIN_TIMEOUT=(\w+)/),
    graceSeconds: Number(find(unit, /TimeoutStopSec=(\d+)/)),
  },
  {
    name: 'the chart',
    delay: seconds('drainDelaySeconds'),
    timeout: seconds('drainTimeoutSeconds'),
    graceSeconds:
      Number(seconds('drainDelaySeconds')) +
      Number(seconds('drainTimeoutSeconds')) +
      Number(
        find(
          pod,
          /terminationGracePeriodSeconds: \{\{ add .*drainDelaySeconds.*drainTimeoutSeconds\) (\d+) \}\}/,
        ),
      ),
  },
])('$name gives a node its full stop time plus a reserve', ({ delay, timeout, graceSeconds }) => {
  const { drain } = readConfig({ SLUICE_DRAIN_DELAY: delay, SLUICE_DRAIN_TIMEOUT: timeout });
  expect(drain.delayMs).toBeGreaterThan(0);
  expect(graceSeconds * 1000).toBeGreaterThan(findStopTimeMs(drain));
});
