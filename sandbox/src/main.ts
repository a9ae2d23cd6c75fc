import { startSandbox } from './start.ts';

const sandbox = await startSandbox({
  host: process.env.SANDBOX_HOST,
  port: Number(process.env.SANDBOX_PORT ?? 0),
});

const stop = async () => {
  await sandbox.close();
  process.exit(0);
};
process.once('SIGTERM', stop).once('SIGINT', stop).once('disconnect', stop);

const { origin } = sandbox;
process.stdout.write(`${JSON.stringify({ origin })}\n`);
process.send?.({ origin });
