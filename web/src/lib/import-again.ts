/**
 * Returns the function that replaces `import()` in the build (see `web/import-again-plugin.ts`). Browsers cache a
 * failed import by URL and never retry it, so the function retries with another URL.
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
