import { explainExhaustion } from '#db/explain-connection-error.ts';
import { createLogger } from '#platform/logger.ts';
import { installWorkerLifecycle } from '#supervisor/worker-lifecycle.ts';
import { createApp } from './app.ts';

const lifecycle = installWorkerLifecycle();
const boot = await lifecycle.receiveBoot();
const log = createLogger(boot.config.logLevel).child({ worker: boot.slot });

try {
  const { catchUpPeers, readNodeMetrics } = lifecycle;
  const app = await createApp(boot, log, { catchUpPeers, readNodeMetrics });
  lifecycle.onCatchUp(app.catchUp);
  lifecycle.onShipped(app.applyShipped);
  lifecycle.onUnready(app.noteUnready);
  lifecycle.onReadMetrics(app.readMetrics);
  lifecycle.onDrain(app.drain);
  lifecycle.reportReady(app.accept);
} catch (error) {
  log.error({ error }, 'this worker cannot start');
  lifecycle.reportFailure(
    explainExhaustion(error, { variable: 'DATABASE_URL', connectionString: boot.connectionString }),
  );
}
