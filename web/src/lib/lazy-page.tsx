import { createElement, type FunctionComponent, use } from 'react';

/**
 * Returns a route component whose code is loaded on first use. A failed load is thrown to the route's error page,
 * whose retry loads the code again. TanStack's `lazyRouteComponent` reloads the document instead, and the page is
 * lost while offline.
 */
export function lazyPage<Name extends string>(
  fetchFile: () => Promise<Record<Name, FunctionComponent>>,
  name: Name,
): FunctionComponent & { preload: () => Promise<void> } {
  let page: FunctionComponent | undefined;
  let loading: Promise<void> | undefined;
  let failure: unknown;

  const load = () => {
    loading ??= fetchFile()
      .then(
        (file) => {
          page = file[name];
        },
        (error: unknown) => {
          failure = error;
        },
      )
      .finally(() => {
        loading = undefined;
      });
    return loading;
  };
  const preload = async () => {
    failure = undefined;
    if (!page) await load();
  };
  const LazyPage = () => {
    if (page) return createElement(page);
    if (failure) throw failure;
    use(load());
    return null;
  };
  return Object.assign(LazyPage, { preload });
}
