import { type ComponentProps, type ComponentType, type ReactNode, useEffect, useState } from 'react';
import { loadPart } from './load-part.ts';

/** A file of the console that no first load carries. Calling it fetches it; `loaded` is what it exports, once it is here. */
export interface LazyFile<Exports> {
  (): Promise<Exports>;
  loaded?: Exports;
}

export function lazyFile<Exports>(load: () => Promise<Exports>): LazyFile<Exports> {
  const file: LazyFile<Exports> = async () => {
    file.loaded ??= await load();
    return file.loaded;
  };
  return file;
}

// biome-ignore lint/suspicious/noExplicitAny: a component of any props, whose own props are kept
type AnyPart = ComponentType<any>;

type LazyPartProps<Part extends AnyPart> = ComponentProps<Part> & {
  /** Stands there until the part is here. */
  fallback?: ReactNode;
};

/**
 * What opens over the page or is pressed: it is drawn at once when its file was fetched ahead. React's `lazy` would hold
 * it back for 300 ms behind an empty `Suspense`, even then.
 */
export function lazyPart<Name extends string, Exports extends Record<Name, AnyPart>>(
  file: LazyFile<Exports>,
  name: Name,
): ComponentType<LazyPartProps<Exports[Name]>> {
  const load = loadPart(file);
  let asked: Promise<Exports> | undefined;
  return function LazyPart({ fallback = null, ...props }: LazyPartProps<Exports[Name]>) {
    const [exported, setExported] = useState(file.loaded);
    useEffect(() => {
      if (exported) return;
      asked ??= load();
      void asked.then(setExported);
    }, [exported]);
    if (!exported) return fallback;
    const Part: AnyPart = exported[name];
    return <Part {...props} />;
  };
}
