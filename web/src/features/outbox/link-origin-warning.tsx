import { Notice } from '../../components/ui/notice.tsx';

/** Warns if a link's origin differs from the console's, usually because `PUBLIC_URL` is not set. */
export function LinkOriginWarning({ link }: { link: string }) {
  const { origin } = new URL(link);
  if (origin === location.origin) return null;
  return (
    <Notice
      kind="warn"
      title={`This link leads to ${origin}, but you opened the console at ${location.origin}.`}
    >
      People who cannot reach {origin} cannot use it. Whoever runs Sluice can set <code>PUBLIC_URL</code> to
      the address that people use; links made after that lead there.
    </Notice>
  );
}
