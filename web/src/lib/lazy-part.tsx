import {
  type ComponentProps,
  type ComponentType,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useState,
} from 'react';
import { logFailure } from './describe-failure.ts';
import { loadPart } from './load-part.ts';

/** `loaded` contains the exports after the load. */
interface LazyFile<Exports> {
  (): Promise<Exports>;
  loaded?: Exports;
}

/** Used for files that are preloaded or contain several parts. */
export function lazyFile<Exports>(fetchFile: () => Promise<Exports>): LazyFile<Exports> {
  const file: LazyFile<Exports> = async () => {
    file.loaded ??= await fetchFile();
    return file.loaded;
  };
  return file;
}

// biome-ignore lint/suspicious/noExplicitAny: accepts components with any props, whose types are kept
type AnyPart = ComponentType<any>;

type LazyPartProps<Part extends AnyPart> = ComponentProps<Part> & {
  fallback?: ReactNode;
};

/**
 * Returns a component from a lazily loaded file. If the file is loaded already, the component renders immediately.
 * React's `lazy` would still show its fallback for at least 300 ms.
 *
 * @param placeholder Shown until the part is loaded; the prop `fallback` overrides it.
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

/** Calls `onIntent` on the first interaction with the page, to preload parts that the user may open next. */
export function usePreload(onIntent: () => Promise<unknown>): void {
  const begin = useEffectEvent(() => {
    // Not shown to the user, because opening the part loads the code again and reports a failure.
    onIntent().catch((error: unknown) => logFailure('Preloading failed', error));
  });
  useEffect(() => {
    const intent = new AbortController();
    const beginOnce = () => {
      intent.abort();
      begin();
    };
    for (const event of ['pointermove', 'pointerdown', 'keydown']) {
      window.addEventListener(event, beginOnce, { signal: intent.signal });
    }
    return () => intent.abort();
  }, []);
}

export function useEverTrue(isSo: boolean): boolean {
  const [wasSo, setWasSo] = useState(isSo);
  if (isSo && !wasSo) setWasSo(true);
  return wasSo;
}
