/** What the page keeps over a reload: panel widths, open docks, open documents. SiYuan keeps it in its configuration. */
interface SavedLayout {
  widths: Record<string, number>;
  docks: Record<string, boolean>;
  documents: string[];
  active: string;
}

const key = 'devhost-layout';

/** Nothing is open, or what the builder of the page named. */
function firstLayout(): SavedLayout {
  const { firstDocument = '', firstDock } = document.body.dataset;
  return {
    widths: {},
    docks: firstDock === undefined ? {} : { [firstDock]: true },
    documents: firstDocument ? [firstDocument] : [],
    active: firstDocument,
  };
}

function read(): SavedLayout {
  const empty = firstLayout();
  try {
    return { ...empty, ...(JSON.parse(localStorage.getItem(key) ?? '{}') as Partial<SavedLayout>) };
  } catch (error) {
    console.warn('the saved layout could not be read and begins anew', error);
    return empty;
  }
}

export const savedLayout = read();

export function saveLayout(change: Partial<SavedLayout> = {}): void {
  Object.assign(savedLayout, change);
  localStorage.setItem(key, JSON.stringify(savedLayout));
}
