import { createSluice, type SluiceProcess } from '#test/processes/sluice-process.ts';
import { addOutsideProvider } from '#test/providers/outside-provider.ts';

/** Starts the product with one worker and without limits. The cleanup stops the product. */
export async function startProductOver(
  providerOrigin: string,
  models: string[],
  cleanup: AsyncDisposableStack,
): Promise<SluiceProcess> {
  const sluice = await createSluice({
    SLUICE_WORKERS: '1',
    SLUICE_SANDBOX: '0',
    SLUICE_ALLOW_PRIVATE_ENDPOINTS: '1',
    SLUICE_CONCURRENCY: '10000',
    LOG_LEVEL: 'silent',
  });
  cleanup.defer(() => sluice.remove());
  await sluice.start();
  await addOutsideProvider(sluice, providerOrigin, models);
  return sluice;
}
