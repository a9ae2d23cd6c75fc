import { type ComponentProps, type ComponentType, type ReactNode, useEffect, useState } from 'react';
import { loadPart } from './load-part.ts';

/** Fetches a file that no first load carries; `loaded` is what it exports, once it is here. */
interface LazyFile<Exports> {
  (): Promise<Exports>;
  loaded?: Exports;
}

/** A file that is also fetched ahead, or has several parts. */
export function lazyFile<Exports>(fetchFile: () => Promise<Exports>): LazyFile<Exports> {
  const file: LazyFile<Exports> = async () => {
    file.loaded ??= await fetchFile();
    return file.loaded;
  };
  return file;
}

// biome-ignore lint/suspicious/noExplicitAny: a component of any props, whose own props are kept
type AnyPart = ComponentType<any>;

type LazyPartProps<Part extends AnyPart> = ComponentProps<Part> & {
  /** Shown until the part is loaded. */
  fallback?: ReactNode;
};

/**
 * Returns a component of a lazily loaded file. It renders at once if the file is loaded; React's `lazy` would show its
 * fallback for at least 300 ms even then.
 *
 * @param placeholder shown until the part is loaded; the prop `fallback` overrides it
 */
export function lazyPart<Name extends string, Exports extends Record<Name, AnyPart>>(
  file: LazyFile<Exports>,
  name: Name,
  placeholder: ReactNode = null,
): ComponentType<LazyPartProps<Exports[Name]>> {
  const load = loadPart(file);
  let asked: Promise<Exports> | undefined;
  return function LazyPart({ fallback = placeholder, ...props }: LazyPartProps<Exports[Name]>) {
    const [exported, setExported] = useState(file.loaded);
    useEffect(() => {
      if (exported) return;
      asked ??= load();
      void asked.then((loaded) => {
        file.loaded = loaded;
        setExported(loaded);
      });
    }, [exported]);
    if (!exported) return fallback;
    const Part: AnyPart = exported[name];
    return <Part {...props} />;
  };
}
