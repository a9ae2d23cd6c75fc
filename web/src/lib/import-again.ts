/**
 * A browser never asks again for a module that it could not load: it remembers the failure by the address. The build
 * (`web/import-again-plugin.ts`) has every `import()` of a file come through here, so that each further try is made
 * under another address.
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
