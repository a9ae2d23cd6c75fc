/** Runs the work and then disposes of its resources, also after an error or a signal. */
export async function endWithResources(
  work: (resources: AsyncDisposableStack) => Promise<void>,
): Promise<void> {
  await using resources = new AsyncDisposableStack();
  const interrupted = Promise.withResolvers<never>();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => interrupted.reject(new Error(`ended by ${signal}`)));
  }
  await Promise.race([work(resources), interrupted.promise]);
}
