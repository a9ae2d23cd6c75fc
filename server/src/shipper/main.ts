import { createLogger } from '#platform/logger.ts';
import type { MessageFromShipper, MessageToShipper, ShipperBoot } from '#supervisor/messages.ts';
import { stopSignals } from '#supervisor/stop-signals.ts';
import { watchProcess } from '#telemetry/metrics/process-metrics.ts';
import { type OpenShipper, openShipper } from './open-shipper.ts';
import { readShipperMetrics } from './shipper-metrics.ts';

const boot = Promise.withResolvers<ShipperBoot>();
const deadlineMs = Promise.withResolvers<number>();
const opened = Promise.withResolvers<OpenShipper>();
const watched = watchProcess('shipper');
const send = (message: MessageFromShipper) => process.connected && process.send?.(message, () => {});

async function answerMetrics(id: number): Promise<void> {
  const { isLogStoreUp, readBacklog } = await opened.promise;
  const metrics = { ...watched.read(), ...readShipperMetrics(readBacklog(), isLogStoreUp()) };
  send({ type: 'metrics', id, metrics });
}

process.on('message', (message: MessageToShipper) => {
  if (message.type === 'start') boot.resolve(message.boot);
  if (message.type === 'read-metrics') void answerMetrics(message.id);
  if (message.type === 'drain') deadlineMs.resolve(message.deadlineMs);
});
// Exiting closes the database connection. Uncommitted batches are shipped again.
process.once('disconnect', () => process.exit(1));
// Ignore stop signals: the terminal and npm signal the whole process group, but workers need their shipper until they
// have drained.
for (const signal of stopSignals) process.on(signal, () => {});

const upToDateMs = 2_000;
let sentAtMs = Number.NEGATIVE_INFINITY;
function onUpToDate(): void {
  if (performance.now() - sentAtMs < upToDateMs) return;
  sentAtMs = performance.now();
  send({ type: 'up-to-date' });
}

send({ type: 'waiting' });
const {
  bodyStore: bucket,
  formerSecrets,
  logLevel,
  searchedLength,
  secret,
  ...addresses
} = await boot.promise;
const shipper = openShipper({
  ...addresses,
  bodies: bucket && { bucket, searchedLength, secrets: { secret, formerSecrets } },
  log: createLogger(logLevel),
  onShipped: (shipped) => send({ type: 'shipped', shipped }),
  onUpToDate,
});
opened.resolve(shipper);
await shipper.close(await deadlineMs.promise);
process.exit(0);
