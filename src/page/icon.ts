/** The icon of the tab, with how many need a person. */
let drawn = 0

export function drawIcon(count: number): void {
  if (count === drawn) return
  drawn = count
  const icon = document.getElementById('icon') as HTMLLinkElement | null
  if (!icon) return
  if (count === 0) {
    icon.href = '/assets/icon.svg'
    return
  }
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = 64
  const pen = canvas.getContext('2d')
  if (!pen) return
  pen.fillStyle = '#a33b20'
  pen.beginPath()
  pen.roundRect(0, 0, 64, 64, 20)
  pen.fill()
  pen.fillStyle = '#fff'
  pen.font = 'bold 44px sans-serif'
  pen.textAlign = 'center'
  pen.textBaseline = 'middle'
  pen.fillText(count > 9 ? '9+' : String(count), 32, 35, 56)
  icon.href = canvas.toDataURL('image/png')
}
