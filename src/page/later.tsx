/** A view that is loaded when it is opened. */
import { signal } from '@preact/signals'
import type { ComponentType } from 'preact'

export function later(load: () => Promise<ComponentType>): ComponentType {
  const loaded = signal<ComponentType | undefined>(undefined)
  const problem = signal<string | undefined>(undefined)
  let isAsked = false
  return () => {
    if (!isAsked) {
      isAsked = true
      load().then(
        view => {
          loaded.value = view
        },
        () => {
          isAsked = false
          problem.value = 'This part of the page could not be loaded: open it again.'
        },
      )
    }
    const View = loaded.value
    return View ? <View /> : <p class="quiet">{problem.value ?? 'Loading…'}</p>
  }
}
