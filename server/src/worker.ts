import { createLogger } from '#platform/logger.ts';
import { installWorkerLifecycle } from '#supervisor/worker-lifecycle.ts';
import { createApp } from './app.ts';

const lifecycle = installWorkerLifecycle();
const boot = await lifecycle.receiveBoot();
const log = createLogger(boot.config.logLevel).child({ worker: boot.slot });

try {
  const app = await createApp(boot, log, { catchUpPeers: lifecycle.catchUpPeers });
  lifecycle.onCatchUp(app.catchUp);
  lifecycle.onDrain(app.drain);
  lifecycle.reportReady(app.accept);
} catch (error) {
  log.error({ error }, 'this worker cannot start');
  lifecycle.reportFailure(error);
}
