/** The order matters, because most browsers also name Chrome or Safari. */
const browsers = [
  ['Edge', /\b(?:Edg|EdgA|EdgiOS)\/(\d+)/],
  ['Opera', /\bOPR\/(\d+)/],
  ['Samsung Internet', /\bSamsungBrowser\/(\d+)/],
  ['Firefox', /\b(?:Firefox|FxiOS)\/(\d+)/],
  ['Chrome', /(?:Chrome|CriOS)\/(\d+)/],
  ['Safari', /\bVersion\/(\d+)\S* (?:Mobile\/\S+ )?Safari\//],
] as const;

const systems = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMacintosh\b/],
  ['Linux', /\bLinux\b/],
] as const;

/**
 * Describes the browser of a user agent, for example `Firefox 140 on Windows`. Returns an unknown user agent
 * unchanged.
 */
export function describeBrowser(userAgent: string): string {
  if (userAgent === '') return 'Unknown browser';
  const browser = browsers.find(([, mark]) => mark.test(userAgent));
  if (!browser) return userAgent;
  const [name, mark] = browser;
  const version = mark.exec(userAgent)?.[1];
  const system = systems.find(([, systemMark]) => systemMark.test(userAgent));
  return `${name} ${version}${system ? ` on ${system[0]}` : ''}`;
}
