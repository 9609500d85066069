graph [
  node [
    id 0
    label "Acciaiuoli"
  ]
  node [
    id 1
    label "Medici"
  ]
  node [
    id 2
    label "Barbadori"
  ]
  node [
    id 3
    label "Ridolfi"
  ]
  node [
    id 4
    label "Tornabuoni"
  ]
  node [
    id 5
    label "Albizzi"
  ]
  node [
    id 6
    label "Salviati"
  ]
  node [
    id 7
    label "Castellani"
  ]
  node [
    id 8
    label "Peruzzi"
  ]
  node [
    id 9
    label "Strozzi"
  ]
  node [
    id 10
    label "Bischeri"
  ]
  node [
    id 11
    label "Guadagni"
  ]
  node [
    id 12
    label "Ginori"
  ]
  node [
    id 13
    label "Pazzi"
  ]
  node [
    id 14
    label "Lamberteschi"
  ]
  edge [
    source 0
    target 1
  ]
  edge [
    source 1
    target 2
  ]
  edge [
    source 1
    target 3
  ]
  edge [
    source 1
    target 4
  ]
  edge [
    source 1
    target 5
  ]
  edge [
    source 1
    target 6
  ]
  edge [
    source 2
    target 7
  ]
  edge [
    source 3
    target 9
  ]
  edge [
    source 3
    target 4
  ]
  edge [
    source 4
    target 11
  ]
  edge [
    source 5
    target 12
  ]
  edge [
    source 5
    target 11
  ]
  edge [
    source 6
    target 13
  ]
  edge [
    source 7
    target 8
  ]
  edge [
    source 7
    target 9
  ]
  edge [
    source 8
    target 9
  ]
  edge [
    source 8
    target 10
  ]
  edge [
    source 9
    target 10
  ]
  edge [
    source 10
    target 11
  ]
  edge [
    source 11
    target 14
  ]
]
