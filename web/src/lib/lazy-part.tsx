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
  /** Stands there until the part is here. */
  fallback?: ReactNode;
};

/**
 * A component of such a file. It is drawn at once when the file was fetched before: React's `lazy` would show what stands
 * for it, and for 300 ms at least, even then.
 *
 * @param placeholder stands there until the part is here; the prop `fallback` may say otherwise
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
