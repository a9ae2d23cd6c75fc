/**
 * Browsers remember a failed module import by its URL and never retry it. The build (`web/import-again-plugin.ts`)
 * routes every `import()` through this function, which retries under another URL.
 */
export function createImportAgain() {
  const failures = new Map<string, number>();
  return <Module>(path: string, load: (address: string) => Promise<Module>): Promise<Module> => {
    const count = failures.get(path) ?? 0;
    return load(count === 0 ? path : `${path}?again=${count}`).catch((error: unknown) => {
      failures.set(path, count + 1);
      throw error;
    });
  };
}

Object.assign(globalThis, { sluiceImport: createImportAgain() });
